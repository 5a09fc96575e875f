package config

var modelsKeys = []key{
	{name: "providers", form: formMap, doc: "The providers by name.", keys: []key{
		{name: "baseUrl", form: formText, doc: "The address of the provider's API: http:// or https://."},
		{name: "apiKey", form: formText, doc: "The secret that opens it; best written as '${VARIABLE}'."},
		{name: "api", form: formText, doc: "The wire format that it speaks."},
		{name: "models", form: formList, doc: "The models that it offers.", keys: []key{
			{name: "id", form: formText, required: true, doc: "The name that the provider knows the model by."},
			{name: "name", form: formText, doc: "The name for people."},
			{name: "contextWindow", form: formNumber, doc: "How many tokens it reads."},
			{name: "maxTokens", form: formNumber, doc: "How many tokens it writes at most."},
			{name: "reasoning", form: formFlag, doc: "Whether it thinks before it answers."},
		}},
	}},
}

var mcpKeys = []key{
	{name: "servers", form: formMap, doc: "The servers by name.", keys: []key{
		{name: "enabled", form: formFlag, fallback: "true", doc: "Whether its tools count."},
		{name: "command", form: formText, doc: "The program that is the server."},
		{name: "args", form: formTexts, doc: "Its arguments."},
		{name: "env", form: formWords, doc: "Its environment, in addition."},
		{name: "cwd", form: formText, doc: "The folder that it starts in."},
		{name: "url", form: formText, doc: "The address of a server that runs already."},
		{name: "headers", form: formWords, doc: "What is sent with each request to it."},
		{name: "transport", form: formChoice, choices: []string{"stdio", "sse", "streamable-http"},
			doc: "How it is spoken to."},
	}},
}

var pluginsKeys = []key{
	{name: "enabled", form: formFlag, fallback: "true", doc: "Whether any is loaded."},
	{name: "allow", form: formTexts, doc: "The only plugins that are loaded."},
	{name: "deny", form: formTexts, doc: "Plugins that are not loaded."},
	{name: "entries", form: formMap, doc: "The plugins by id.", keys: []key{
		{name: "enabled", form: formFlag, doc: "Whether it is loaded."},
	}},
}

var authKeys = []key{
	{name: "profiles", form: formMap, doc: "The ways by name.", keys: []key{
		{name: "provider", form: formText, required: true, doc: "The provider that it opens."},
		{name: "mode", form: formChoice, required: true, choices: []string{"api_key", "aws-sdk", "oauth", "token"},
			doc: "What opens it."},
	}},
}
