package config

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/policy"
)

// Load finds, reads and checks the config. What is wrong with the content of
// a file comes as [Errors], all of it at once; a file that cannot be read as
// an [*Error]. Load writes nothing and does not make the state folder.
func Load(opts *Options) (*Config, error) {
	filled, err := opts.filled()
	if err != nil {
		return nil, err
	}
	l := &loader{opts: filled}
	src, err := l.find()
	if err != nil {
		return nil, err
	}
	trusted, err := l.trusts(src)
	if err != nil {
		return nil, err
	}
	if trusted {
		return l.load(src, nil)
	}
	return l.loadUntrusted(src)
}

// trusts reports whether a source may widen. All but a file that lies in the
// workspace is the user's own.
func (l *loader) trusts(src *source) (bool, error) {
	if src == nil || src.found != FoundWorkspace {
		return true, nil
	}
	if l.opts.State == "" || !exists(l.opts.State) {
		return false, nil
	}
	if err := checkFolder(l.opts.State); err != nil {
		return false, err
	}
	state := &State{dir: l.opts.State}
	return state.isTrusted(src.path, src.digest())
}

// loadUntrusted loads a config that lies on top of the user's own. Errors of
// both come together.
func (l *loader) loadUntrusted(src *source) (*Config, error) {
	own, err := l.own()
	if err != nil {
		return nil, err
	}
	base, baseErr := l.load(own, nil)
	var wrong Errors
	if baseErr != nil && !errors.As(baseErr, &wrong) {
		return nil, baseErr
	}
	if base == nil { // only to find the errors of the other
		if base, err = l.load(nil, nil); err != nil {
			return nil, baseErr
		}
	}
	c, err := l.load(src, base)
	var more Errors
	if err != nil && !errors.As(err, &more) {
		return nil, err
	}
	if wrong = append(wrong, more...); len(wrong) > 0 {
		return nil, wrong
	}
	return c, nil
}

// load reads a source that is trusted when base is nil. A nil source gives
// the defaults.
func (l *loader) load(src *source, base *Config) (*Config, error) {
	c := &Config{
		Found: FoundNone, Trusted: base == nil, Base: base,
		Policy: policyReader{}.config(nil),
		Exec:   Exec{Ask: AskAlways}, state: l.opts.State,
	}
	r := &reader{cfg: c, opts: &l.opts, checker: checker{
		trusted: c.Trusted, getenv: l.opts.Getenv, texts: map[*json5.Node]string{}, unresolved: map[*json5.Node]bool{},
	}}
	if src != nil {
		c.File, c.Found, c.parts, r.file = src.path, src.found, src.parts, src.path
		r.list = slices.Clone(src.wrong)
		if src.tree != nil {
			r.read(src.tree)
		}
	}
	c.underBase(base)
	r.workspace(c.tree)
	c.Unused, c.Warnings = r.unusedKeys, r.warnings
	l.addReins(c, src)
	slices.SortStableFunc(c.Ignored, func(a, b Ignored) int { return r.compare(a.Pos, b.Pos) })
	if len(r.list) > 0 {
		return nil, r.sorted()
	}
	return c, nil
}

// underBase tells the policy what counts where the file says nothing, and what
// it cannot lift while it is not trusted.
func (c *Config) underBase(base *Config) {
	c.Policy.Dialect, c.Policy.DefaultProfile = c.dialect, DefaultProfile
	if c.dialect == policy.OpenClaw {
		c.Policy.DefaultProfile = ""
	}
	if base == nil {
		return
	}
	inherit(c.Policy, base.Policy)
	if base.Found == FoundNone {
		baseline := policy.BaselineLayer(DefaultProfile, "read it, then run: "+TrustCommand(c.File))
		c.Policy.Baseline = &baseline
	}
}

// addReins lists what is, or could become, the config of a next start.
func (l *loader) addReins(c *Config, src *source) {
	add := func(path string) {
		if path != "" && !slices.Contains(c.Files, path) {
			c.Files = append(c.Files, path)
		}
	}
	add(c.File)
	if real, err := filepath.EvalSymlinks(c.File); err == nil && c.File != "" {
		add(real)
	}
	if src != nil {
		for _, path := range src.looked {
			add(path)
		}
	}
	if c.Base != nil {
		for _, path := range c.Base.Files {
			add(path)
		}
	}
	add(filepath.Join(l.opts.Dir, FileName))
	if l.opts.State != "" {
		add(filepath.Join(l.opts.State, FileName))
	}
}
