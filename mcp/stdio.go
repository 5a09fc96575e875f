package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest"
)

// cancelTime is how long calls that were cancelled may take to end.
const cancelTime = 5 * time.Second

var errSessionEnded = errors.New("the session has ended")

// ServeStdio serves one client that writes a message a line to in and reads
// them from out. Nothing but protocol is written to out.
//
// It returns nil when in ends, and ctx's error when ctx does; in both cases
// running calls are cancelled first (see [ServerOptions].Grace) and their
// results written. A call that does not end within five seconds of that, or a
// client that does not read, is an error, and its goroutine is left behind.
//
// When in is an [io.Closer] it is closed at the end, which is what frees the
// goroutine that reads it. The process's own standard input cannot be freed:
// that goroutine then ends with the process. out is closed, where it can be,
// only to free a write that its reader never took.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	sc := newScope(context.WithoutCancel(ctx), s.caller(ctx, toolrest.SurfaceMCPStdio))
	defer sc.cancel(errSessionEnded)
	conn := newStdioConn(ctx, in, out, &s.opts, sc.cancel)
	session, err := s.sdk.Connect(withScope(context.WithoutCancel(ctx), sc), stdioTransport{conn}, nil)
	if err != nil {
		return fmt.Errorf("serve mcp over stdio: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- session.Wait() }()
	select {
	case err = <-done:
	case n := <-conn.stuck:
		err = fmt.Errorf("%d answers were not written within %s of the end", n, cancelTime)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("serve mcp over stdio: %w", err)
	}
	return nil
}

type stdioTransport struct{ conn *stdioConn }

func (t stdioTransport) Connect(context.Context) (sdk.Connection, error) {
	go t.conn.readLines()
	return t.conn, nil
}

// stdioConn is a connection that forgives: what is wrong in a line costs that
// line and no other.
type stdioConn struct {
	id     string
	in     io.Reader
	lines  *lineReader
	log    *slog.Logger
	grace  time.Duration
	stop   <-chan struct{}         // closed when the server is to stop
	cancel context.CancelCauseFunc // ends all running calls

	incoming chan jsonrpc.Message // closed at the end of in
	readErr  error                // why in ended; to be read once incoming is closed
	calls    pending

	writeMu sync.Mutex // guards out: one message a time
	out     io.Writer

	once   sync.Once
	closed chan struct{}
	stuck  chan int // gets the number of answers that do not come
}

func newStdioConn(ctx context.Context, in io.Reader, out io.Writer, o *ServerOptions, cancel context.CancelCauseFunc) *stdioConn {
	return &stdioConn{
		id:       "stdio_" + rand.Text(),
		in:       in,
		lines:    newLineReader(in, o.MaxMessage),
		log:      o.Logger,
		grace:    o.Grace,
		stop:     ctx.Done(),
		cancel:   cancel,
		incoming: make(chan jsonrpc.Message),
		out:      out,
		closed:   make(chan struct{}),
		stuck:    make(chan int, 1),
	}
}

// SessionID tells the sessions of one process apart; the protocol knows none
// over stdio.
func (c *stdioConn) SessionID() string { return c.id }

// readLines feeds Read until in ends or the connection is closed, and answers
// what is no message itself.
func (c *stdioConn) readLines() {
	defer close(c.incoming)
	for {
		msg, err := c.readMessage()
		if err != nil {
			if err != io.EOF {
				c.readErr = err
			}
			return
		}
		if msg == nil {
			continue
		}
		select {
		case c.incoming <- msg:
		case <-c.closed:
			return
		}
	}
}

// readMessage gives the message of the next line, or none where the line had
// none. An error ends the connection.
func (c *stdioConn) readMessage() (jsonrpc.Message, error) {
	line, err := c.lines.next()
	var long *longLineError
	if errors.As(err, &long) {
		return nil, c.refuse(tooLong(fmt.Sprintf("%d bytes long", long.size), int64(c.lines.max)))
	}
	if err != nil {
		return nil, err
	}
	if isBlank(line) {
		return nil, nil
	}
	msg, f := parseFrame(line)
	if f != nil {
		return nil, c.refuse(f)
	}
	return msg, nil
}

func isBlank(line []byte) bool {
	for _, b := range line {
		if b != ' ' && b != '\t' && b != '\r' {
			return false
		}
	}
	return true
}

func (c *stdioConn) refuse(f *fault) error {
	c.log.Warn("mcp: refused a message", "code", f.code, "reason", f.text)
	return c.writeLine(f.encode())
}

// Read gives the next message. At the end of in, and when the server is to
// stop, it first brings the running calls to their end: after io.EOF the SDK
// would write no more answers.
func (c *stdioConn) Read(context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-c.closed:
			return nil, io.EOF
		case <-c.stop:
			c.drain(0)
			return nil, io.EOF
		case msg, ok := <-c.incoming:
			if !ok {
				c.drain(c.grace)
				return nil, c.end()
			}
			if c.accept(msg) {
				return msg, nil
			}
		}
	}
}

func (c *stdioConn) end() error {
	if c.readErr != nil {
		return c.readErr
	}
	return io.EOF
}

// accept keeps a second request with the id of one that is still running from
// the SDK, which would leave it without an answer.
func (c *stdioConn) accept(msg jsonrpc.Message) bool {
	req, ok := msg.(*jsonrpc.Request)
	if !ok || !req.IsCall() || c.calls.add(req.ID) {
		return true
	}
	f := &fault{code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("a request with the id %v is still running: each request needs its own", quoted(req.ID))}
	if err := c.refuse(f); err != nil {
		c.log.Warn("mcp: could not answer", "error", err)
	}
	return false
}

func quoted(id jsonrpc.ID) string {
	if s, ok := id.Raw().(string); ok {
		return fmt.Sprintf("%q", shorten(s))
	}
	return fmt.Sprint(id.Raw())
}

// drain waits for the running calls, cancels the rest, and waits for those.
func (c *stdioConn) drain(grace time.Duration) {
	if grace > 0 && c.calls.wait(grace, c.stop) {
		return
	}
	c.cancel(errSessionEnded)
	if !c.calls.wait(cancelTime, c.closed) {
		c.giveUp()
	}
}

// giveUp frees ServeStdio from what will not end. Where out can be closed, the
// writer that may hang in it is freed as well.
func (c *stdioConn) giveUp() {
	select {
	case <-c.closed:
		return
	default:
	}
	c.stuck <- c.calls.count()
	if w, ok := c.out.(io.Closer); ok {
		_ = w.Close() // nobody reads it any more
	}
}

// Write sends a message.
func (c *stdioConn) Write(_ context.Context, msg jsonrpc.Message) error {
	if resp, ok := msg.(*jsonrpc.Response); ok {
		resp.Error = coded(resp.Error)
		if c.calls.free(resp.ID) {
			defer c.calls.settle()
		}
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	return c.writeLine(data)
}

// coded gives an error of the SDK that has no code the one of an error inside
// the server: 0 is none in JSON-RPC.
func coded(err error) error {
	var wire *jsonrpc.Error
	if err == nil || errors.As(err, &wire) && wire.Code != 0 {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

func (c *stdioConn) writeLine(data []byte) error {
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	if _, err := c.out.Write(append(data, '\n')); err != nil {
		return fmt.Errorf("write to the client: %w", err)
	}
	return nil
}

// Close ends the connection; it may be called more than once.
func (c *stdioConn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		if in, ok := c.in.(io.Closer); ok {
			_ = in.Close() // it ended, or nobody wants more of it
		}
	})
	return nil
}
