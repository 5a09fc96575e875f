// Command toolrest gives AI agents their tools and keeps them under control:
// an MCP server, an MCP gateway and a command line over one registry, one
// policy and one dispatch.
//
// It refuses to widen anything that a person has not widened: without a
// config it offers the built-in coding tools in the current folder and asks
// before it runs a command.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/willabides/kongplete"

	"github.com/toolrest/toolrest/internal/sandbox"
)

// cli is the grammar of the command line.
type cli struct {
	Config string `placeholder:"FILE" predictor:"file" help:"Config file. Else $$TOOLREST_CONFIG, ./toolrest.json5, ~/.toolrest/toolrest.json5, and without any the built-in defaults."`
	Log    string `enum:"error,warn,info,debug" default:"${loglevel}" placeholder:"LEVEL" help:"How much to log on stderr: error, warn, info or debug."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version and end."`

	Run        runCmd        `cmd:"" help:"Let an agent work in the terminal."`
	Serve      serveCmd      `cmd:"" help:"Serve the governed tools over HTTP, for MCP clients."`
	MCP        mcpCmd        `cmd:"" name:"mcp" help:"Serve the governed tools over stdin and stdout, for the MCP client that started this."`
	Tools      toolsCmd      `cmd:"" help:"List what an agent has, and what it lacks and why."`
	Explain    explainCmd    `cmd:"" help:"Say whether an agent may use a tool, which rule decides, and what would change it."`
	Policy     policyCmd     `cmd:"" help:"Check the policy: what in it does nothing, what is expected of it, what a change changes."`
	Call       callCmd       `cmd:"" help:"Call a tool, under the same rules as an agent."`
	Trust      trustCmd      `cmd:"" help:"Trust the config file of this folder as it is now."`
	Init       initCmd       `cmd:"" help:"Show a commented config, and write it."`
	Doctor     doctorCmd     `cmd:"" help:"Check the set-up, and say what to mend."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
	Completion completionCmd `cmd:"" help:"Print the completion script for a shell."`
}

// streams are what a command reads and writes.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// exit is an error that carries an exit code. A nil err prints nothing more.
type exit struct {
	code int
	err  error
}

func (e exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

// The exit codes. 1 is any failure.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitDenied      = 10 // refused by policy, or by the person who was asked
	exitUnavailable = 11 // unknown, or not available here
	exitApproval    = 12 // waits for somebody's approval
)

func main() {
	sandbox.Init() // does not return in a child that it confines
	os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// run is the program without the process.
func run(args []string, s streams) (code int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal asks for a clean end; a second one ends at once.
	context.AfterFunc(ctx, stop)

	var c cli
	parser := kong.Must(&c,
		kong.Name("toolrest"),
		kong.Description("Gives AI agents their tools and keeps them under control."),
		kong.Writers(s.out, s.err),
		kong.Vars{"loglevel": "warn", "version": "toolrest " + version},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Exit(func(n int) { panic(exit{code: n}) }), // --help
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(s),
		kong.Bind(&c),
	)
	defer func() {
		switch e := recover().(type) {
		case nil:
		case exit:
			code = e.code
		default:
			panic(e)
		}
	}()
	kongplete.Complete(parser, predictors()...)

	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return usage(s, err)
	}
	return report(s, parsed.Run())
}

// usage tells what was wrong with the command line.
func usage(s streams, err error) int {
	fmt.Fprintf(s.err, "toolrest: %v\n", err)
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		path := "toolrest"
		if node := parse.Context.Selected(); node != nil {
			path = node.FullPath()
		}
		fmt.Fprintf(s.err, "see %s --help\n", path)
	}
	return exitUsage
}

// report prints an error once and gives the exit code.
func report(s streams, err error) int {
	if err == nil {
		return 0
	}
	var e exit
	if !errors.As(err, &e) {
		e = exit{exitFailed, err}
	}
	if e.err != nil {
		fmt.Fprintf(s.err, "toolrest: %v\n", e.err)
	}
	return e.code
}
