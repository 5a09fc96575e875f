package conformance

// tables hold who answers which kind: "folder/file:kind".
var tables = []map[string]answer{
	namesAnswers,
	pipelineAnswers,
	resolveAnswers,
	filtersAnswers,
	plannerAnswers,
	registryAnswers,
	argsAnswers,
	schemaAnswers,
}

// notBuilt are the kinds, and the whole files, that nothing here answers yet.
var notBuilt = []string{
	"execution/agentloop",
	"execution/hooks",
	"execution/loop",
	"execution/mcp",
	"execution/patch",
	"execution/results",
	"execution/transcript",
	"tools/apply_patch",
	"tools/edit",
	"tools/exec",
	"tools/keys",
	"tools/web_memory",
}
