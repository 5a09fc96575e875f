package config

import "github.com/toolrest/toolrest/internal/json5"

// Values gives the file's content as plain values, for those who only want to
// know whether something is configured. References to the environment stand
// as they were written, so that no secret leaves through them. The map is made
// anew on each call; without a file it is nil.
func (c *Config) Values() map[string]any {
	if c.tree == nil {
		return nil
	}
	values, _ := value(c.tree).(map[string]any)
	return values
}

func value(n *json5.Node) any {
	switch n.Kind {
	case json5.Bool:
		return n.Bool
	case json5.Number:
		return n.Number
	case json5.String:
		return n.Text
	case json5.Array:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = value(item)
		}
		return out
	case json5.Object:
		out := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			out[m.Key] = value(m.Value)
		}
		return out
	}
	return nil
}
