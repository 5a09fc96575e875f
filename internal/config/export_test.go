package config

import "github.com/toolrest/toolrest/policy"

// Edited gives the text of the config after the edits that [Config.Fix]
// tells about.
func (c *Config) Edited(edits []policy.Edit) (string, error) {
	d := draft{file: c.File, text: c.text}
	for _, e := range edits {
		if err := d.make(e); err != nil {
			return "", err
		}
	}
	return string(d.text), nil
}
