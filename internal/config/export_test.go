package config

import "github.com/toolrest/toolrest/policy"

// Edited gives the text of the config's own file after the edits that
// [Config.Fix] tells about.
func (c *Config) Edited(edits []policy.Edit) (string, error) {
	drafts := c.drafts()
	for _, e := range edits {
		local := c.local(e)
		if err := drafts.of(local.file).make(local.Edit); err != nil {
			return "", err
		}
	}
	return string(drafts[0].text), nil
}
