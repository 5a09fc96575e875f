package model

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode"
)

// Limits of a list of models.
const (
	maxList   = 1 << 20 // bytes
	maxListed = 500
	maxName   = 200 // bytes of a model's name
)

// HTTPProbe is a [Probe] that asks over HTTP, in the way of the OpenAI wire.
// A nil client is one with the default transport. Redirects are not followed.
func HTTPProbe(client *http.Client) Probe {
	client = direct(client)
	return func(ctx context.Context, base, key string) ([]string, error) {
		base, err := baseURL(APIOpenAI, base)
		if err != nil {
			return nil, err
		}
		header := http.Header{}
		if key != "" {
			header.Set("Authorization", "Bearer "+key)
		}
		return listModels(ctx, client, base+"/models", header)
	}
}

// Models asks the server which models it has.
func (e *Endpoint) Models(ctx context.Context) ([]string, error) {
	found, err := listModels(ctx, e.http, e.list, e.header)
	if err != nil {
		return nil, fmt.Errorf("list the models of %s: %w", e.ref.Provider, err)
	}
	return found, nil
}

func listModels(ctx context.Context, client *http.Client, url string, header http.Header) ([]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header = header.Clone()
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", resp.StatusCode)
	}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); !strings.Contains(kind, "json") {
		return nil, fmt.Errorf("the answer is no JSON")
	}
	return readList(io.LimitReader(resp.Body, maxList))
}

// readList leaves out names that cannot be a model's, for they end up on
// terminals.
func readList(r io.Reader) ([]string, error) {
	var body struct {
		Data *[]struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.NewDecoder(r).Decode(&body); err != nil {
		return nil, fmt.Errorf("the answer is no list of models: %w", err)
	}
	if body.Data == nil {
		return nil, fmt.Errorf("the answer is no list of models")
	}
	var out []string
	for _, m := range *body.Data {
		if len(out) < maxListed && m.ID != "" && len(m.ID) <= maxName && !strings.ContainsFunc(m.ID, unprintable) {
			out = append(out, m.ID)
		}
	}
	return out, nil
}

func unprintable(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }
