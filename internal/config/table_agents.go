package config

var modelKeys = []key{
	{name: "primary", form: formText, doc: "The model, as provider/model."},
}

// agentTools are the keys of an agent's tools.
func agentTools() []key {
	keys := toolKeys("the global one", "the global one")
	for i := range keys {
		switch name := keys[i].name; name {
		case "byProvider", "toolsBySender", "sandbox":
			keys[i].like = "tools." + name
		}
	}
	return keys
}

func sandboxKeys(fallback string) []key {
	return []key{
		{name: "mode", form: formChoice, choices: sandboxes, fallback: fallback, owned: ownsMore, tightens: confines,
			doc: "Which sessions count as sandboxed: none, all but the main one, or all."},
	}
}

func leanKeys(fallback string) []key {
	return []key{
		{name: "localModelLean", form: formFlag, fallback: fallback, owned: ownsMore, tightens: onlyTrue,
			doc: "Whether browser, cron and message are left out, for a small model."},
	}
}

var agentsKeys = []key{
	{name: "defaults", form: formObject, doc: "What counts for an agent that does not say.", keys: []key{
		{name: "workspace", form: formText, owned: ownsMore,
			doc: "The folder that tools work in, where the config has no workspace of its own: if it is there."},
		{name: "model", form: formModel, keys: modelKeys, owned: ownsReach, doc: "The model, as provider/model."},
		{name: "sandbox", form: formObject, doc: "Sandboxes.", keys: sandboxKeys("off")},
		{name: "subagents", form: formObject, doc: "Agents that agents start.", keys: []key{
			{name: "maxSpawnDepth", form: formNumber, low: 1, high: 5, fallback: "1", owned: ownsMore,
				doc: "How deep agents can start agents."},
		}},
		{name: "experimental", form: formObject, doc: "What may change.", keys: leanKeys("false")},
	}},
	{name: "list", form: formList, doc: "The agents, each with an id of its own.", keys: []key{
		{name: "id", form: formText, required: true,
			doc: "The agent's name: letters, digits, - and _, at most 64; upper and lower case are the same."},
		{name: "default", form: formFlag, fallback: "true for the first", owned: ownsWho,
			doc: "Whether this agent has the sessions that name none."},
		{name: "tools", form: formObject, keys: agentTools(),
			doc: "Which of the tools this agent has. The profile and alsoAllow stand in the place of the global ones; allow and deny only take more away."},
		{name: "model", form: formModel, keys: modelKeys, owned: ownsReach, fallback: "the one of agents.defaults",
			doc: "The model, as provider/model."},
		{name: "sandbox", form: formObject, doc: "Sandboxes.", keys: sandboxKeys("the one of agents.defaults")},
		{name: "subagents", form: formObject, doc: "Agents that this agent starts.", keys: []key{
			{name: "allowAgents", form: formTexts, owned: ownsMore,
				doc: "The agents that it can start beside itself; * for all."},
		}},
		{name: "experimental", form: formObject, doc: "What may change.", keys: leanKeys("the one of agents.defaults")},
	}},
}

// groupKeys are the keys of a group of a chat service.
func groupKeys() []key {
	return []key{
		{name: "tools", form: formObject, keys: listKeys(), guards: true, like: "tools.toolsBySender.<name>",
			doc: "Which of the tools an agent has in this group."},
		{name: "toolsBySender", form: formMap, keys: listKeys(), guards: true, like: "tools.toolsBySender",
			doc: "What counts instead for a sender in this group."},
	}
}

var channelKeys = []key{
	{name: "groups", form: formMap, keys: groupKeys(), guards: true,
		doc: "Its groups by id; * for all that are not named."},
	{name: "accounts", form: formMap, doc: "Its accounts, where there are several.", keys: []key{
		{name: "groups", form: formMap, keys: groupKeys(), like: "channels.<name>.groups",
			doc: "The groups that this account sees instead."},
	}},
}
