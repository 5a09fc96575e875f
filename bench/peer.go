package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// openclawScript measures OpenClaw's own functions and prints a line of JSON
// for each figure.
//
//go:embed openclaw.mjs
var openclawScript []byte

// measurePeer runs the script with the package that lies in dir.
func measurePeer(ctx context.Context, dir string) (map[key]float64, error) {
	if _, err := os.Stat(filepath.Join(dir, "dist")); err != nil {
		return nil, fmt.Errorf("OPENCLAW_DIR: %w; install the npm package openclaw and name its folder", err)
	}
	home, err := os.MkdirTemp("", "bench-openclaw-")
	if err != nil {
		return nil, fmt.Errorf("measure openclaw: %w", err)
	}
	defer os.RemoveAll(home)
	node := os.Getenv("NODE")
	if node == "" {
		node = "node"
	}
	fmt.Fprintln(os.Stderr, "measuring openclaw: a minute or two")
	cmd := exec.CommandContext(ctx, node, "--input-type=module", "-")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(openclawScript), os.Stderr
	cmd.Env = append(os.Environ(), "HOME="+home, "OPENCLAW_STATE_DIR="+home, "OPENCLAW_LOG_LEVEL=silent", "OPENCLAW_DIR="+dir)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("measure openclaw with %s: %w", node, err)
	}
	return readFigures(out)
}

func readFigures(out []byte) (map[key]float64, error) {
	figures := map[key]float64{}
	for scan := bufio.NewScanner(bytes.NewReader(out)); scan.Scan(); {
		var f struct {
			Work string  `json:"work"`
			Size int     `json:"size"`
			Ns   float64 `json:"ns"`
		}
		if json.Unmarshal(scan.Bytes(), &f) == nil && f.Ns > 0 {
			figures[key{f.Work, f.Size}] = f.Ns
		}
	}
	if len(figures) == 0 {
		return nil, fmt.Errorf("openclaw gave no figures")
	}
	return figures, nil
}
