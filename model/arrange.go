package model

import (
	"fmt"
	"slices"
	"strings"
)

// Arrange gives the conversation in the order that every provider accepts.
//
// Neighbours of one role are merged, and text blocks without visible text and
// messages without blocks are left out. After each assistant message with
// calls stands one results message, whose results are in the order of the
// calls. The input is not changed.
//
// It refuses what no order can mend: a conversation that does not begin with
// the user or ends with the assistant (unless it was paused), a block in a message of the wrong
// role, a call without a result and a result without a call. A call that was
// never run needs a result that says so.
func Arrange(messages []Message) ([]Message, error) {
	var out []Message
	for i, m := range messages {
		blocks, err := visible(m)
		if err != nil {
			return nil, fmt.Errorf("messages[%d]: %w", i, err)
		}
		if len(blocks) == 0 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Role == m.Role && out[n-1].From == m.From {
			out[n-1].Blocks = append(out[n-1].Blocks, blocks...)
			out[n-1].Paused = m.Paused
			continue
		}
		out = append(out, Message{Role: m.Role, From: m.From, Paused: m.Paused, Blocks: blocks})
	}
	if err := checkEnds(out); err != nil {
		return nil, err
	}
	return out, pair(out)
}

// allowed says which blocks a message of each role holds.
var allowed = map[Role][]BlockKind{
	RoleUser:      {BlockText, BlockImage},
	RoleAssistant: {BlockText, BlockThinking, BlockCall},
	RoleResults:   {BlockResult},
}

func visible(m Message) ([]Block, error) {
	kinds, ok := allowed[m.Role]
	if !ok {
		return nil, fmt.Errorf("unknown role %q", m.Role)
	}
	var out []Block
	for i, b := range m.Blocks {
		switch {
		case !slices.Contains(kinds, b.Kind):
			return nil, fmt.Errorf("blocks[%d]: %s does not belong into a message of role %s", i, b.Kind, m.Role)
		case b.Kind == BlockCall && b.Call == nil, b.Kind == BlockResult && b.Result == nil:
			return nil, fmt.Errorf("blocks[%d]: a %s without its contents", i, b.Kind)
		case b.Kind == BlockText && strings.TrimSpace(b.Text) == "":
			continue
		}
		out = append(out, b)
	}
	return out, nil
}

func checkEnds(messages []Message) error {
	switch {
	case len(messages) == 0:
		return fmt.Errorf("there is no message to answer")
	case messages[0].Role != RoleUser:
		return fmt.Errorf("the conversation begins with role %s, not with the user", messages[0].Role)
	case messages[len(messages)-1].Role == RoleAssistant:
		if calls := messages[len(messages)-1].Calls(); len(calls) > 0 {
			return missing(calls[0])
		}
		if !messages[len(messages)-1].Paused {
			return fmt.Errorf("the conversation ends with the assistant: there is nothing to answer")
		}
	}
	return nil
}

// pair puts each results message into the order of the calls before it.
func pair(messages []Message) error {
	for i := range messages {
		m := &messages[i]
		if m.Role == RoleResults && (i == 0 || len(messages[i-1].Calls()) == 0) {
			return fmt.Errorf("the result of %q (call %q) follows no call", m.Blocks[0].Result.Name, m.Blocks[0].Result.CallID)
		}
		if m.Role != RoleAssistant {
			continue
		}
		calls := m.Calls()
		if len(calls) == 0 {
			continue
		}
		if i+1 == len(messages) || messages[i+1].Role != RoleResults {
			return missing(calls[0])
		}
		ordered, err := inOrder(calls, messages[i+1].Blocks)
		if err != nil {
			return err
		}
		messages[i+1].Blocks = ordered
	}
	return nil
}

// inOrder gives the n-th result of an id to the n-th call of it, for some
// models repeat themselves.
func inOrder(calls []Call, results []Block) ([]Block, error) {
	left := slices.Clone(results)
	ordered := make([]Block, 0, len(calls))
	for _, c := range calls {
		i := slices.IndexFunc(left, func(b Block) bool { return b.Result.CallID == c.ID })
		if i < 0 {
			return nil, missing(c)
		}
		ordered = append(ordered, left[i])
		left = slices.Delete(left, i, i+1)
	}
	if len(left) > 0 {
		r := left[0].Result
		return nil, fmt.Errorf("the result of %q (call %q) answers no open call", r.Name, r.CallID)
	}
	return ordered, nil
}

func missing(c Call) error {
	return fmt.Errorf("call %q of %q has no result", c.ID, c.Name)
}
