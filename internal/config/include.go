package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/json5"
)

// includeKey is the key whose value names files to read in its place.
const includeKey = "$include"

const (
	maxIncludeDepth = 10
	// maxIncludes bounds how often files are included in all: each time their
	// whole content counts again.
	maxIncludes = 256
	// maxIncluded bounds the bytes that this puts together.
	maxIncluded = 16 << 20
	// maxIncludePath bounds a path, in bytes, before and after it is resolved.
	maxIncludePath = 4096
)

// includer puts the files of a config together.
type includer struct {
	findings
	src *source
	// roots are the folders that files may be included from, as they were
	// written; the config's own stands first.
	roots []string
	trees map[string]*json5.Node // by path; nil for a file that is no JSON5
	count int
	bytes int64
}

// assemble parses a source and puts what it includes in its place. What is
// wrong is noted in src.
func (src *source) assemble(roots ...string) {
	in := &includer{
		findings: findings{file: src.path}, src: src, trees: map[string]*json5.Node{},
		roots: append([]string{filepath.Dir(src.path)}, roots...),
	}
	if tree := in.parse(src.path, src.text); tree != nil {
		src.tree = in.expand(tree, []string{src.path})
	}
	src.wrong = in.list
}

func (in *includer) parse(path string, text []byte) *json5.Node {
	in.src.parts = append(in.src.parts, part{path, text})
	tree, err := json5.Parse(path, text)
	in.addSyntax(err)
	in.trees[path] = tree
	return tree
}

// expand gives n with the content of files in the place of each $include, or
// nil where nothing could be put there. chain are the files on the way to n;
// the last holds it.
func (in *includer) expand(n *json5.Node, chain []string) *json5.Node {
	switch n.Kind {
	case json5.Array:
		items := make([]*json5.Node, 0, len(n.Items))
		for _, item := range n.Items {
			if item = in.expand(item, chain); item != nil {
				items = append(items, item)
			}
		}
		if slices.Equal(items, n.Items) {
			return n
		}
		return n.WithItems(items)
	case json5.Object:
		return in.object(n, chain)
	}
	return n
}

func (in *includer) object(n *json5.Node, chain []string) *json5.Node {
	var include *json5.Node
	changed := false
	members := make([]json5.Member, 0, len(n.Members))
	for _, m := range n.Members {
		if m.Key == includeKey {
			include = m.Value
			continue
		}
		value := in.expand(m.Value, chain)
		changed = changed || value != m.Value
		if m.Value = value; value != nil {
			members = append(members, m)
		}
	}
	switch {
	case include != nil:
		return in.beside(n.WithMembers(members), in.included(include, chain), include)
	case changed:
		return n.WithMembers(members)
	}
	return n
}

// beside lays the keys of an object over what it includes; included is nil where
// that is nothing.
func (in *includer) beside(n, included, include *json5.Node) *json5.Node {
	switch {
	case included == nil && (len(n.Members) > 0 || include.Kind == json5.Array && len(include.Items) == 0):
		return n
	case len(n.Members) == 0:
		return included
	case included.Kind != json5.Object:
		in.add(include, "", "there are other keys beside this, but the file holds "+included.Kind.String(), "a file that is included beside other keys holds an object")
		return n
	}
	return merge(included, n)
}

// included gives what the value of $include stands for, or nil where it stands
// for nothing.
func (in *includer) included(n *json5.Node, chain []string) *json5.Node {
	switch n.Kind {
	case json5.String:
		return in.include(n, chain)
	case json5.Array:
		var all *json5.Node
		for _, item := range n.Items {
			if item.Kind != json5.String {
				in.add(item, includeKey, "expected a path, found "+item.Kind.String(), "")
				continue
			}
			one := in.include(item, chain)
			if all != nil && one != nil {
				one = merge(all, one)
			}
			if one != nil {
				all = one
			}
		}
		return all
	}
	in.add(n, includeKey, "expected a path or an array of paths, found "+n.Kind.String(), "")
	return nil
}

// include gives the content of one file, or notes why it cannot be had.
func (in *includer) include(n *json5.Node, chain []string) *json5.Node {
	path, err := in.resolve(n.Text, chain)
	if err != nil {
		in.refuse(n, err, route(chain))
		return nil
	}
	tree, known := in.trees[path]
	if !known {
		text, err := in.read(path)
		if err != nil {
			in.refuse(n, fmt.Errorf("%s: %s", reason(err), path), route(chain))
			return nil
		}
		tree = in.parse(path, text)
	}
	if tree == nil {
		return nil // its errors were noted when it was read
	}
	if in.bytes += int64(tree.End); in.bytes > maxIncluded {
		in.add(n, includeKey, fmt.Sprintf("the included files are larger than %d MiB together", maxIncluded>>20), route(chain))
		return nil
	}
	return in.expand(tree, append(chain[:len(chain):len(chain)], path))
}

func (in *includer) refuse(n *json5.Node, err error, hint string) {
	text := err.Error()
	if known := (*Error)(nil); errors.As(err, &known) {
		text, hint = known.Text, cmp.Or(known.Hint, hint)
	}
	in.add(n, includeKey, text, hint)
}

// resolve gives the path of a file to include, and refuses what would not end.
func (in *includer) resolve(text string, chain []string) (string, error) {
	if strings.ContainsRune(text, 0) {
		return "", errors.New("a path cannot hold a NUL")
	}
	path := text
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(chain[len(chain)-1]), path)
	}
	path = filepath.Clean(path)
	if len(text) >= maxIncludePath || len(path) >= maxIncludePath {
		return "", fmt.Errorf("the path is longer than %d bytes", maxIncludePath-1)
	}
	if in.count++; in.count > maxIncludes {
		return "", fmt.Errorf("files are included more than %d times", maxIncludes)
	}
	whole := strings.Join(append(chain[:len(chain):len(chain)], path), " → ")
	switch {
	case slices.Contains(chain, path):
		return "", &Error{Text: "the files include each other in a circle", Hint: whole}
	case len(chain) > maxIncludeDepth:
		return "", &Error{Text: fmt.Sprintf("files are included more than %d deep", maxIncludeDepth), Hint: whole}
	case rootOf(path, in.roots) == "":
		return "", in.outside(path)
	}
	return path, nil
}

func (in *includer) outside(path string) error {
	hint := "included files lie below " + in.roots[0]
	if len(in.roots) > 1 {
		hint += ", or below a folder of $" + envIncludeRoots
	}
	return &Error{Text: "the file lies outside of the config's folder: " + path, Hint: hint}
}

// read reads a file that lies below a root also when links are resolved, and
// that has no other name, which could lie outside.
func (in *includer) read(path string) ([]byte, error) {
	in.src.looked = append(in.src.looked, path)
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("there is no such file")
	}
	if err != nil {
		return nil, err
	}
	in.src.looked = append(in.src.looked, real)
	var roots []string
	for _, root := range in.roots {
		if real, err := filepath.EvalSymlinks(root); err == nil {
			roots = append(roots, real)
		}
	}
	root := rootOf(real, roots)
	if root == "" {
		return nil, errors.New("the file lies outside of the config's folder, where a link leads")
	}
	return readBelow(root, real)
}

// rootOf gives the first root that path lies below, or nothing.
func rootOf(path string, roots []string) string {
	for _, root := range roots {
		if path != root && inside(path, root) {
			return root
		}
	}
	return ""
}

// route tells by which files a file was reached, where that is not plain.
func route(chain []string) string {
	if len(chain) < 2 {
		return ""
	}
	return "included by " + strings.Join(chain, " → ")
}
