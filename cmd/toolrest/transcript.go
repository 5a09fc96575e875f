package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/model"
)

// transcript keeps a conversation in the state folder, one message a line,
// each on disk before the run goes on.
type transcript struct {
	id   string
	path string
	file *os.File
}

func keepTranscript(state *config.State) (*transcript, error) {
	dir := state.Path("sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("keep the transcript: %w", err)
	}
	t := &transcript{id: time.Now().UTC().Format("20060102-150405-") + rand.Text()[:6]}
	t.path = filepath.Join(dir, t.id+".jsonl")
	f, err := os.OpenFile(t.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keep the transcript: %w", err)
	}
	t.file = f
	return t, nil
}

func (t *transcript) keep(m model.Message) error {
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err := t.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return t.file.Sync()
}

func (t *transcript) Close() error { return t.file.Close() }
