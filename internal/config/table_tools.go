package config

// listKeys are the lists of a section.
func listKeys() []key {
	return []key{
		{name: "allow", form: formTexts,
			doc: "The only tools that are left: names, groups such as group:fs, or globs. Not beside alsoAllow."},
		{name: "alsoAllow", form: formTexts,
			doc: "Tools in addition to those of the profile. Not beside allow."},
		{name: "deny", form: formTexts,
			doc: "Tools that are taken away. It wins over allow and alsoAllow."},
	}
}

// sectionKeys are the lists with the profile that they start from.
func sectionKeys(fallback string) []key {
	return append([]key{{name: "profile", form: formChoice, choices: profiles, fallback: fallback,
		doc: "The set of tools to start from."}}, listKeys()...)
}

// inner is a section's part that holds tools for one circumstance.
func inner(name, doc, tools string) key {
	return key{name: name, form: formObject, doc: doc, keys: []key{
		{name: "tools", form: formObject, keys: listKeys(), like: "tools.toolsBySender.<name>", doc: tools},
	}}
}

// toolKeys are the keys of a scope, with what counts where it does not say.
func toolKeys(profile, ask string) []key {
	return append(sectionKeys(profile),
		key{name: "byProvider", form: formMap, keys: sectionKeys(""),
			doc: "What counts in addition for a provider's models, by provider, or by provider/model, which counts alone."},
		key{name: "toolsBySender", form: formMap, keys: listKeys(), guards: true,
			doc: "What counts in addition for a sender: id:…, e164:…, username:…, name:…, channel:<channel>:<id>, or * for all others."},
		inner("sandbox", "What counts in a sandbox.",
			"The tools that a sandboxed session has. Without lists it has those that work on files and commands."),
		key{name: "exec", form: formObject, doc: "How commands run.", keys: execKeys(ask)},
		key{name: "fs", form: formObject,
			doc: "How files are reached. That it stands here lets lint ask why read, write or edit are missing."},
	)
}

func execKeys(ask string) []key {
	return []key{
		{name: "ask", form: formChoice, choices: []string{AskAlways, "on-miss", AskOff}, fallback: ask,
			doc: "Whether somebody must agree to each command. 'on-miss' asks as 'always' does: there is no list of commands to miss."},
		{name: "security", form: formChoice, choices: []string{"deny", "allowlist", "full"},
			doc: "OpenClaw's bound for commands. With another value than 'full' each command is asked for, also for an agent with ask: 'off' that has no security of its own."},
		{name: "mode", form: formChoice, choices: []string{"deny", "allowlist", "ask", "auto", "full"},
			doc: "OpenClaw's short form of security and ask. With another value than 'full' each command is asked for."},
		{name: "applyPatch", form: formObject, doc: "The tool apply_patch.", keys: []key{
			{name: "enabled", form: formFlag, fallback: "true", owned: ownsMore, tightens: onlyFalse,
				doc: "Whether there is one."},
			{name: "allowModels", form: formTexts, owned: ownsMore,
				doc: "The only models that get it: model, or provider/model."},
		}},
	}
}

// globalTools are the keys of tools.
func globalTools() []key {
	return append(toolKeys(DefaultProfile, AskAlways),
		inner("subagents", "What counts for an agent that another agent started.",
			"allow and alsoAllow give back, name by name, what it is not given otherwise; allow restricts it, too."),
		key{name: "experimental", form: formObject, doc: "What may change.", keys: []key{
			{name: "planTool", form: formFlag, owned: ownsMore, tightens: onlyFalse,
				doc: "Whether there is the tool update_plan."},
		}},
		key{name: "web", form: formObject, doc: "The web.", keys: []key{
			{name: "search", form: formObject, doc: "Searching it.", keys: []key{
				{name: "enabled", form: formFlag, fallback: "true", owned: ownsMore,
					doc: "Whether the web can be searched."},
				{name: "openaiCodex", form: formObject, doc: "Models of OpenAI that search by themselves.", keys: []key{
					{name: "enabled", form: formFlag, fallback: "false", owned: ownsMore,
						doc: "Whether they do, and web_search is left out for them."},
				}},
			}},
		}},
		key{name: "dialect", form: formChoice, choices: []string{dialectDefault, dialectOpenClaw}, owned: ownsMore,
			fallback: dialectDefault + ", in an openclaw.json " + dialectOpenClaw,
			doc:      "How the lists decide: docs/policy.md tells the differences."},
	)
}
