// Package catalog is the core catalogue as data: which tools Toolrest knows by
// name, in which section each stands, which profiles and groups hold it. It
// says nothing of what is built or allowed; a name stands here also when the
// tool itself comes from a plugin or from a later release.
package catalog

// Section is a heading under which tools are listed.
type Section struct {
	ID    string
	Label string
}

// Sections in the order of listings.
var Sections = []Section{
	{"fs", "Files"},
	{"runtime", "Runtime"},
	{"web", "Web"},
	{"memory", "Memory"},
	{"sessions", "Sessions"},
	{"ui", "UI"},
	{"messaging", "Messaging"},
	{"automation", "Automation"},
	{"nodes", "Nodes"},
	{"agents", "Agents"},
	{"media", "Media"},
}

// Row is one tool of the catalogue.
type Row struct {
	ID      string
	Section string
	// Profiles that allow the tool, besides full.
	Profiles []string
	// Open is set for members of group:openclaw.
	Open bool
	// OwnerOnly tools are for the owner alone.
	OwnerOnly bool
	// Plugin supplies the tool, where it is not core.
	Plugin string
	// About is what the tool does, for people who see that they lack it.
	About string
}

var (
	coding       = []string{"coding"}
	both         = []string{"coding", "messaging"}
	everyProfile = []string{"minimal", "coding", "messaging"}
	messaging    = []string{"messaging"}
)

// Rows in catalogue order.
var Rows = []Row{
	{ID: "read", Section: "fs", Profiles: coding, About: "reads a file of the workspace"},
	{ID: "write", Section: "fs", Profiles: coding, About: "creates a file or replaces what it holds"},
	{ID: "edit", Section: "fs", Profiles: coding, About: "replaces exact text in a file"},
	{ID: "apply_patch", Section: "fs", Profiles: coding, About: "applies a patch to several files at once"},
	{ID: "exec", Section: "runtime", Profiles: coding, About: "runs a shell command"},
	{ID: "process", Section: "runtime", Profiles: coding, About: "watches and steers commands in the background"},
	{ID: "code_execution", Section: "runtime", Profiles: coding, Open: true, Plugin: "xai", About: "runs analysis code on a remote machine"},
	{ID: "web_search", Section: "web", Profiles: coding, Open: true, About: "asks a search engine"},
	{ID: "web_fetch", Section: "web", Profiles: coding, Open: true, About: "fetches a page as readable text"},
	{ID: "x_search", Section: "web", Profiles: coding, Open: true, Plugin: "xai", About: "searches posts on X"},
	{ID: "memory_search", Section: "memory", Profiles: coding, Open: true, Plugin: "memory-core", About: "searches the memory by meaning"},
	{ID: "memory_get", Section: "memory", Profiles: coding, Open: true, Plugin: "memory-core", About: "reads a file of the memory"},
	{ID: "sessions_list", Section: "sessions", Profiles: both, Open: true, About: "lists the sessions that the caller may see"},
	{ID: "sessions_history", Section: "sessions", Profiles: both, Open: true, About: "reads the history of a session"},
	{ID: "sessions_send", Section: "sessions", Profiles: both, Open: true, About: "sends a message to another session"},
	{ID: "sessions_spawn", Section: "sessions", Profiles: coding, Open: true, About: "starts a child agent"},
	{ID: "sessions_yield", Section: "sessions", Profiles: coding, Open: true, About: "ends the turn to wait for child agents"},
	{ID: "subagents", Section: "sessions", Profiles: coding, Open: true, About: "lists, steers and stops child agents"},
	{ID: "session_status", Section: "sessions", Profiles: everyProfile, Open: true, About: "shows the state of a session"},
	{ID: "browser", Section: "ui", Open: true, Plugin: "browser", About: "drives a web browser"},
	{ID: "canvas", Section: "ui", Plugin: "canvas", About: "drives the canvas of a paired device"},
	{ID: "message", Section: "messaging", Profiles: messaging, Open: true, About: "sends messages to a chat"},
	{ID: "heartbeat_respond", Section: "automation", Open: true, About: "records what a heartbeat run concluded"},
	{ID: "cron", Section: "automation", Profiles: coding, Open: true, OwnerOnly: true, About: "plans jobs and wake-ups"},
	{ID: "gateway", Section: "automation", Open: true, OwnerOnly: true, About: "controls the gateway"},
	{ID: "nodes", Section: "nodes", Open: true, OwnerOnly: true, About: "talks to paired devices"},
	{ID: "agents_list", Section: "agents", Open: true, About: "lists the agents that may be started"},
	{ID: "get_goal", Section: "agents", Profiles: coding, Open: true, About: "reads the thread's goal"},
	{ID: "create_goal", Section: "agents", Profiles: coding, Open: true, About: "sets a goal for the thread"},
	{ID: "update_goal", Section: "agents", Profiles: coding, Open: true, About: "marks the goal done or blocked"},
	{ID: "update_plan", Section: "agents", Profiles: coding, Open: true, About: "keeps a short plan of steps"},
	{ID: "skill_workshop", Section: "agents", Profiles: coding, Open: true, About: "handles proposals for skills"},
	{ID: "image", Section: "media", Profiles: coding, Open: true, About: "looks at images"},
	{ID: "image_generate", Section: "media", Profiles: coding, Open: true, About: "makes images"},
	{ID: "music_generate", Section: "media", Profiles: coding, Open: true, About: "makes music"},
	{ID: "video_generate", Section: "media", Profiles: coding, Open: true, About: "makes videos"},
	{ID: "tts", Section: "media", Open: true, About: "turns text into speech"},
}

// Added are rows that only the Default dialect knows.
var Added = []Row{
	{ID: "grep", Section: "fs", Profiles: coding, About: "searches the text of files"},
	{ID: "find", Section: "fs", Profiles: coding, About: "finds files by their names"},
	{ID: "ls", Section: "fs", Profiles: coding, About: "lists a folder"},
	{ID: "pdf", Section: "media", Profiles: coding, Open: true, About: "reads PDF documents"},
}

// Profiles in the order in which they are offered.
var Profiles = []string{"minimal", "coding", "messaging", "full"}

// MCPPlugin is the plugin id that all MCP tools carry, so that one entry can
// name them all.
const MCPPlugin = "bundle-mcp"
