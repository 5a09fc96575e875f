package toolrest_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// The sizes that the house keeps, in lines.
const (
	maxFile   = 800 // of any file
	maxMedian = 170 // of the files beside tests
	maxRoot   = 600 // of the root package beside its tests
)

// vague are words that say nothing about what is inside.
var vague = []string{
	"util", "utils", "common", "helper", "helpers", "manager", "managers",
	"service", "services", "misc",
}

// checks are the rules that the tree of the module keeps. Each gives a
// sentence for each breach.
var checks = map[string]func(tree) []string{
	"placed":    checkPlaced,
	"direction": checkDirection,
	"only":      checkOnly,
	"examples":  checkExamples,
	"docs":      checkDocs,
	"sizes":     checkSizes,
	"words":     checkWords,
}

// tree is the module's folders that hold Go files, sorted by path.
type tree []folder

type folder struct {
	path  string // "." is the root
	files []file
}

type file struct {
	path  string
	test  bool
	lines int
	ast   *ast.File
}

type imported struct{ file, path string }

// imports are those of the files beside tests.
func (f folder) imports() (all []imported) {
	for _, file := range f.files {
		if file.test {
			continue
		}
		for _, spec := range file.ast.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				p = spec.Path.Value
			}
			all = append(all, imported{file.path, p})
		}
	}
	return all
}

// readTree parses every Go file of the module, whatever its build tags say.
// It leaves out what the go command leaves out: test data, hidden folders and
// other modules.
func readTree(t *testing.T, fsys fs.FS) tree {
	t.Helper()
	folders := map[string][]file{}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return enter(fsys, p, d)
		case path.Ext(p) != ".go":
			return nil
		}
		f, err := readFile(fsys, p)
		folders[path.Dir(p)] = append(folders[path.Dir(p)], f)
		return err
	})
	if err != nil {
		t.Fatalf("read the module: %v", err)
	}
	var all tree
	for p, files := range folders {
		all = append(all, folder{p, files})
	}
	slices.SortFunc(all, func(a, b folder) int { return strings.Compare(a.path, b.path) })
	return all
}

func enter(fsys fs.FS, p string, d fs.DirEntry) error {
	if p == "." {
		return nil
	}
	_, err := fs.Stat(fsys, path.Join(p, "go.mod"))
	if err == nil || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") {
		return fs.SkipDir
	}
	return nil
}

func readFile(fsys fs.FS, p string) (file, error) {
	src, err := fs.ReadFile(fsys, p)
	if err != nil {
		return file{}, err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), p, src, parser.ParseComments|parser.SkipObjectResolution)
	return file{
		path:  p,
		test:  strings.HasSuffix(p, "_test.go"),
		lines: bytes.Count(src, []byte("\n")),
		ast:   parsed,
	}, err
}

// checkDocs wants a doc comment that says what each package does. A folder of
// tests alone has it in one of them.
func checkDocs(t tree) (wrong []string) {
	for _, f := range t {
		if !slices.ContainsFunc(f.files, documents) {
			wrong = append(wrong, f.path+": no file has a comment that begins with: Package "+f.files[0].ast.Name.Name)
		}
	}
	return wrong
}

func documents(f file) bool {
	name := f.ast.Name.Name
	if f.ast.Doc == nil || strings.HasSuffix(name, "_test") {
		return false
	}
	return name == "main" || strings.HasPrefix(f.ast.Doc.Text(), "Package "+name+" ")
}

func checkSizes(t tree) (wrong []string) {
	var lines []int
	root := 0
	for _, f := range t {
		for _, file := range f.files {
			if file.lines > maxFile {
				wrong = append(wrong, fmt.Sprintf("%s: %d lines, more than %d", file.path, file.lines, maxFile))
			}
			if file.test {
				continue
			}
			lines = append(lines, file.lines)
			if f.path == "." {
				root += file.lines
			}
		}
	}
	if root >= maxRoot {
		wrong = append(wrong, fmt.Sprintf("the root package has %d lines, not under %d", root, maxRoot))
	}
	slices.Sort(lines)
	if len(lines) > 0 && lines[len(lines)/2] >= maxMedian {
		wrong = append(wrong, fmt.Sprintf("the median file has %d lines, not under %d", lines[len(lines)/2], maxMedian))
	}
	return wrong
}

// checkWords wants names of packages, files and types that say something.
func checkWords(t tree) (wrong []string) {
	for _, f := range t {
		for _, name := range []string{path.Base(f.path), f.files[0].ast.Name.Name} {
			if w := vagueIn(name); w != "" {
				wrong = append(wrong, fmt.Sprintf("%s: the package is named %q", f.path, w))
				break
			}
		}
		for _, file := range f.files {
			if w := vagueIn(strings.TrimSuffix(path.Base(file.path), ".go")); w != "" {
				wrong = append(wrong, fmt.Sprintf("%s: the file is named %q", file.path, w))
			}
			for _, name := range typeNames(file.ast) {
				if w := vagueIn(name); w != "" {
					wrong = append(wrong, fmt.Sprintf("%s: the type %s is named %q", file.path, name, w))
				}
			}
		}
	}
	return wrong
}

func typeNames(f *ast.File) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			names = append(names, spec.Name.Name)
		}
		return true
	})
	return names
}

// vagueIn gives the first vague word of a name in any of Go's spellings.
func vagueIn(name string) string {
	var spaced strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(unicode.ToLower(r))
	}
	for _, word := range strings.FieldsFunc(spaced.String(), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains(vague, word) {
			return word
		}
	}
	return ""
}

// TestChecksBite runs all checks on small trees with known breaches. The
// comment of each archive lists them, sorted, one a line.
func TestChecksBite(t *testing.T) {
	archives, err := filepath.Glob("testdata/layering/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no fake trees: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			fsys := fstest.MapFS{}
			for _, f := range archive.Files {
				fsys[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			want := strings.Split(strings.TrimSpace(string(archive.Comment)), "\n")
			if diff := cmp.Diff(want, breaches(t, fsys)); diff != "" {
				t.Errorf("breaches (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSizesBite makes the trees that are too long for an archive.
func TestSizesBite(t *testing.T) {
	source := func(lines int) *fstest.MapFile {
		head := "// Package plan is long.\npackage plan\n"
		return &fstest.MapFile{Data: []byte(head + strings.Repeat("\n", lines-strings.Count(head, "\n")))}
	}
	root := func(lines int) *fstest.MapFile {
		f := source(lines)
		f.Data = bytes.ReplaceAll(f.Data, []byte("plan"), []byte("toolrest"))
		return f
	}
	tests := map[string]struct {
		fsys fstest.MapFS
		want []string
	}{
		"all fine": {fstest.MapFS{"a.go": root(100), "plan/a.go": source(169), "plan/a_test.go": source(800)}, []string{""}},
		"a file": {
			fstest.MapFS{"plan/a.go": source(801), "plan/b.go": source(5), "plan/c.go": source(5)},
			[]string{"plan/a.go: 801 lines, more than 800"},
		},
		"a test": {
			fstest.MapFS{"plan/a_test.go": source(801), "plan/b.go": source(5)},
			[]string{"plan/a_test.go: 801 lines, more than 800"},
		},
		"the median": {
			fstest.MapFS{"plan/a.go": source(170), "plan/b.go": source(5)},
			[]string{"the median file has 170 lines, not under 170"},
		},
		"the root": {
			fstest.MapFS{"a.go": root(160), "b.go": root(160), "c.go": root(160), "d.go": root(120)},
			[]string{"the root package has 600 lines, not under 600"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, breaches(t, test.fsys)); diff != "" {
				t.Errorf("breaches (-want +got):\n%s", diff)
			}
		})
	}
}

// breaches are those of all checks, sorted; one empty line stands for none.
func breaches(t *testing.T, fsys fs.FS) []string {
	t.Helper()
	all := []string{}
	for _, check := range checks {
		all = append(all, check(readTree(t, fsys))...)
	}
	if len(all) == 0 {
		return []string{""}
	}
	slices.Sort(all)
	return all
}

// TestScriptsAreExecutable keeps what make and CI start startable.
func TestScriptsAreExecutable(t *testing.T) {
	for _, name := range []string{".ci/run", "tools/fetch.sh", "tools/fuzz.sh"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Error(err)
		} else if info.Mode()&0o111 == 0 {
			t.Errorf("%s is not executable", name)
		}
	}
}
