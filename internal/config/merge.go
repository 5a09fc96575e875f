package config

import "github.com/toolrest/toolrest/internal/json5"

// merge lays one value over another: objects key by key, arrays one after the
// other; of all else the upper one counts. The result stands where the upper
// one stands, and its parts where they were written.
func merge(lower, upper *json5.Node) *json5.Node {
	switch {
	case lower.Kind == json5.Array && upper.Kind == json5.Array:
		items := make([]*json5.Node, 0, len(lower.Items)+len(upper.Items))
		return upper.WithItems(append(append(items, lower.Items...), upper.Items...))
	case lower.Kind == json5.Object && upper.Kind == json5.Object:
		return upper.WithMembers(mergeMembers(lower.Members, upper.Members))
	}
	return upper
}

func mergeMembers(lower, upper []json5.Member) []json5.Member {
	out := append(make([]json5.Member, 0, len(lower)+len(upper)), lower...)
	place := make(map[string]int, len(lower))
	for i, m := range lower {
		place[m.Key] = i
	}
	for _, m := range upper {
		i, both := place[m.Key]
		if !both {
			out = append(out, m)
			continue
		}
		m.Value = merge(out[i].Value, m.Value)
		out[i] = m
	}
	return out
}
