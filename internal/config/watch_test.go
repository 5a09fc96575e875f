package config_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/toolrest/toolrest/internal/config"
)

// watched loads and watches a config, and gives the configs that Watch found.
func watched(t *testing.T, opts *config.Options) <-chan *config.Config {
	t.Helper()
	cfg, err := config.Load(opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	found := make(chan *config.Config, 16)
	ended := make(chan error, 1)
	go func() {
		ended <- config.Watch(ctx, opts, func() []string { return cfg.Files }, func() {
			if now, err := config.Load(opts); err == nil && !now.Same(cfg) {
				cfg = now
				found <- now
			}
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return found
}

func next(t *testing.T, found <-chan *config.Config) *config.Config {
	t.Helper()
	select {
	case cfg := <-found:
		return cfg
	case <-time.After(10 * time.Second):
		t.Fatal("the change was not noticed")
		return nil
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	if err := os.Chmod(state, 0o700); err != nil {
		t.Fatal(err)
	}
	opts := &config.Options{Dir: dir, State: state, Home: t.TempDir(), Getenv: func(string) string { return "" }}
	found := watched(t, opts)
	path := filepath.Join(dir, config.FileName)

	// A file appears, is written in place, is replaced, is trusted, goes.
	write(t, path, `{ tools: { deny: ['exec'] } }`)
	if cfg := next(t, found); cfg.File != path || cfg.Trusted || len(cfg.Policy.Tools.Deny.Entries) != 1 {
		t.Errorf("appeared: %+v", cfg)
	}
	write(t, path, `{ tools: { deny: ['exec', 'read'] } }`)
	if cfg := next(t, found); len(cfg.Policy.Tools.Deny.Entries) != 2 {
		t.Errorf("written: %+v", cfg.Policy.Tools.Deny)
	}
	write(t, path+".new", `{ tools: { deny: ['write'] } }`)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if cfg := next(t, found); cfg.Policy.Tools.Deny.Entries[0].Text != "write" {
		t.Errorf("replaced: %+v", cfg.Policy.Tools.Deny)
	}
	s, err := config.OpenState(opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Trust(path); err != nil {
		t.Fatal(err)
	}
	if cfg := next(t, found); !cfg.Trusted {
		t.Error("the trust was not noticed")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if cfg := next(t, found); cfg.File != "" {
		t.Errorf("removed: %s", cfg.File)
	}
}

func TestWatchSeesWhatChangedBeforeItBegan(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "c.json5")
	write(t, path, `{}`)
	opts := &config.Options{Path: path, Dir: dir, Home: t.TempDir(), Getenv: func(string) string { return "" }}
	before, err := config.Load(opts)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, `{ tools: { deny: ['exec'] } }`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err = config.Watch(ctx, opts, func() []string { return before.Files }, func() {
		if now, err := config.Load(opts); err == nil && !now.Same(before) {
			cancel()
		}
	})
	if err != nil || ctx.Err() == nil {
		t.Errorf("err = %v", err)
	}
}

// Whoever writes one file all the time cannot keep the change of another from
// being noticed: a workspace's file here, the user's own there.
func TestWatchIsNotStarved(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	if err := os.Chmod(state, 0o700); err != nil {
		t.Fatal(err)
	}
	opts := &config.Options{Dir: dir, State: state, Home: t.TempDir(), Getenv: func(string) string { return "" }}
	found := watched(t, opts)
	busy, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-busy.Done():
				ended <- nil
				return
			case <-tick.C:
				if err := os.WriteFile(filepath.Join(dir, config.FileName), []byte("{}"), 0o600); err != nil {
					ended <- err
					return
				}
			}
		}
	}()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	write(t, filepath.Join(state, config.FileName), `{ tools: { deny: ['exec'] } }`)
	for {
		if cfg := next(t, found); cfg.Base != nil && len(cfg.Base.Policy.Tools.Deny.Entries) == 1 {
			return
		}
	}
}

// A change of an included file counts, also of one that appears where a config
// that is not in force looks for it.
func TestWatchIncludes(t *testing.T) {
	dir := t.TempDir()
	opts := &config.Options{Dir: dir, Home: t.TempDir(), Path: "main.json5", Getenv: func(string) string { return "" }}
	path := filepath.Join(dir, "main.json5")
	write(t, path, `{ tools: { deny: ['exec'] } }`)
	found := watched(t, opts)
	part := filepath.Join(dir, "parts", "deny.json5")
	write(t, path, `{ tools: { $include: './parts/deny.json5' } }`) // does not load yet
	if err := os.Mkdir(filepath.Dir(part), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, part, `{ deny: ['read', 'write'] }`)
	if cfg := next(t, found); len(cfg.Policy.Tools.Deny.Entries) != 2 {
		t.Errorf("the file appeared: %+v", cfg.Policy.Tools.Deny)
	}
	write(t, part, `{ deny: ['read'] }`)
	if cfg := next(t, found); len(cfg.Policy.Tools.Deny.Entries) != 1 {
		t.Errorf("the file changed: %+v", cfg.Policy.Tools.Deny)
	}
}
