package config

// Values gives the file's content as plain values, for those who only want to
// know whether something is configured. References to the environment stand
// as they were written, so that no secret leaves through them. The map is made
// anew on each call; without a file it is nil.
func (c *Config) Values() map[string]any {
	if c.tree == nil {
		return nil
	}
	values, _ := c.tree.Plain().(map[string]any)
	return values
}
