package event

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/toolrest/toolrest/internal/need"
	"github.com/toolrest/toolrest/plan"
)

func changed(agent, tool, reason string) PlanChanged {
	return PlanChanged{
		Type: TypePlanChanged, Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Agent: agent,
		Change: plan.Change{Tool: tool, Old: plan.Standing{State: plan.StateVisible}, New: plan.Standing{State: plan.StateHidden, Reason: reason}, Cause: "config"},
	}
}

func TestLastIsTheNewestOfAnAgentsTool(t *testing.T) {
	j := OpenJournal(t.TempDir())
	if _, ok := j.Last("main", "exec"); ok {
		t.Error("an empty journal tells something")
	}
	if err := j.Append(changed("main", "exec", "first"), changed("ops", "exec", "another agent"), changed("main", "exec", "second <&>"), changed("main", "read", "another tool")); err != nil {
		t.Fatal(err)
	}
	got, ok := j.Last("main", "exec")
	if diff := cmp.Diff(changed("main", "exec", "second <&>"), got); !ok || diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestDamagedLines holds the journal to what it can still read.
func TestDamagedLines(t *testing.T) {
	dir := t.TempDir()
	j := OpenJournal(dir)
	if err := j.Append(changed("main", "exec", "kept")); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, journalFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "{\"type\":\"plan.changed\",\"agent\":\"main\",\"tool\":\"exec\"\n\xff\xfe\n{\"type\":\"other\",\"agent\":\"main\",\"tool\":\"exec\"}\n")
	f.Close()
	if got, ok := j.Last("main", "exec"); !ok || got.New.Reason != "kept" {
		t.Errorf("got %v %v", got, ok)
	}
}

func TestJournalStaysSmall(t *testing.T) {
	dir := t.TempDir()
	j := OpenJournal(dir)
	long := strings.Repeat("x", 64<<10)
	for i := range 64 {
		if err := j.Append(changed("main", fmt.Sprint("tool", i), long)); err != nil {
			t.Fatal(err)
		}
	}
	total := int64(0)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", e.Name(), info.Mode())
		}
	}
	if len(entries) != 2 || total > 2*maxJournal+2*int64(len(long))+4096 {
		t.Errorf("%d files of %d bytes", len(entries), total)
	}
	if _, ok := j.Last("main", "tool63"); !ok {
		t.Error("the newest is gone")
	}
	if _, ok := j.Last("main", "tool40"); !ok {
		t.Error("the older half is gone")
	}
}

func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := range 50 {
				if err := OpenJournal(dir).Append(changed("main", fmt.Sprintf("t%d-%d", w, i), "r")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	for w := range 8 {
		for i := range 50 {
			if _, ok := OpenJournal(dir).Last("main", fmt.Sprintf("t%d-%d", w, i)); !ok {
				t.Errorf("t%d-%d is lost", w, i)
			}
		}
	}
}

// TestNoJournal: what has its name and is none is neither read nor written.
func TestNoJournal(t *testing.T) {
	for name, put := range map[string]func(path, victim string) error{
		"a link":   func(path, victim string) error { return os.Symlink(victim, path) },
		"a pipe":   func(path, _ string) error { return unix.Mkfifo(path, 0o600) },
		"endless":  func(path, _ string) error { return os.Symlink("/dev/zero", path) },
		"a folder": func(path, _ string) error { return os.Mkdir(path, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			victim := filepath.Join(t.TempDir(), "victim")
			if err := errors.Join(os.WriteFile(victim, []byte("kept"), 0o600), put(filepath.Join(dir, journalFile), victim)); err != nil {
				t.Fatal(err)
			}
			j := OpenJournal(dir)
			if err := j.Append(changed("main", "exec", "r")); err == nil {
				t.Error("written")
			}
			if _, ok := j.Last("main", "exec"); ok {
				t.Error("read")
			}
			if text, err := os.ReadFile(victim); err != nil || string(text) != "kept" {
				t.Errorf("%q %v", text, err)
			}
		})
	}
}

// TestHugeJournal: of a file that something else made large the end counts.
func TestHugeJournal(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, journalFile)
	if err := OpenJournal(dir).Append(changed("main", "exec", "kept")); err != nil {
		t.Fatal(err)
	}
	line, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(os.Truncate(path, 0), os.Truncate(path, 1<<40))
	need.That(t, err == nil, "a file system that takes a file of 1 TiB with a hole")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write(append([]byte("\n"), line...))
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if got, ok := OpenJournal(dir).Last("main", "exec"); !ok || got.New.Reason != "kept" {
		t.Errorf("got %v %v", got, ok)
	}
}

func TestNoFolder(t *testing.T) {
	j := OpenJournal(filepath.Join(t.TempDir(), "missing"))
	if err := j.Append(changed("main", "exec", "r")); err == nil || !strings.Contains(err.Error(), "record a change") {
		t.Errorf("got %v", err)
	}
}
