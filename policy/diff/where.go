package diff

import (
	"fmt"
	"strings"
)

// where names situations in a few words: whole agents by their name, with what
// they are spared, and else the situations themselves.
func (c *comparer) where(in []int) string {
	if len(in) == len(c.situations) && len(in) > 1 {
		return "everywhere"
	}
	chosen := make(map[int]bool, len(in))
	for _, i := range in {
		chosen[i] = true
	}
	var agents []string
	all := map[string][]int{}
	for i := range c.situations {
		id := c.situations[i].Agent
		if all[id] == nil {
			agents = append(agents, id)
		}
		all[id] = append(all[id], i)
	}
	var whole, parts []string
	for _, id := range agents {
		text, isWhole := c.whereOf(id, all[id], chosen)
		switch {
		case text == "":
		case isWhole:
			whole = append(whole, text)
		default:
			parts = append(parts, text)
		}
	}
	return few(append(whole, parts...), "; ")
}

// whereOf names the chosen situations of one agent.
func (c *comparer) whereOf(id string, all []int, chosen map[int]bool) (text string, whole bool) {
	var in, out []string
	for _, i := range all {
		name := c.situations[i].String()
		if chosen[i] {
			in = append(in, name)
		} else {
			out = append(out, strings.TrimPrefix(name, id+", "))
		}
	}
	plain := chosen[all[0]] && len(c.situations[all[0]].Traits) == 0
	switch {
	case len(in) == 0:
		return "", false
	case len(out) == 0 && plain:
		return id, true
	case plain && len(out) < len(in):
		return id + ", but not: " + few(out, "; "), false
	}
	return few(in, "; "), false
}

func few(all []string, between string) string {
	const most = 4
	if len(all) <= most {
		return strings.Join(all, between)
	}
	return fmt.Sprintf("%s%sand %d more", strings.Join(all[:most], between), between, len(all)-most)
}
