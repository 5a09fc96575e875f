package model

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/toolrest/toolrest"
)

// Part is a piece of a result in the form that a wire can send: text, or an
// image of one of the media types that models take.
type Part struct {
	Text  string
	Image []byte
	MIME  string
}

// Parts turns the content of a result into what a wire can send. Text without
// anything visible is left out; what no model takes becomes a line of text
// that says what is missing.
func Parts(content []toolrest.Content) []Part {
	var out []Part
	for _, c := range content {
		p := part(c)
		if p.Image == nil && strings.TrimSpace(p.Text) == "" {
			continue
		}
		out = append(out, p)
	}
	return out
}

func part(c toolrest.Content) Part {
	switch c.Kind {
	case toolrest.ContentText:
		return Part{Text: c.Text}
	case toolrest.ContentImage:
		return ImagePart(c.Data, c.MIME)
	case toolrest.ContentResource:
		return Part{Text: resource(c)}
	}
	return Part{Text: fmt.Sprintf("[%s content of type %s, %d bytes, left out: the model takes text and images]", c.Kind, orUnknown(c.MIME), len(c.Data))}
}

// ImagePart is an image as a part, or a line of text where no model would
// take it. What the first bytes say counts and not mime, because providers
// compare the two.
func ImagePart(data []byte, mime string) Part {
	if real := sniff(data); real != "" {
		return Part{Image: data, MIME: real}
	}
	return Part{Text: fmt.Sprintf("[an image of type %s, %d bytes, left out: the model takes png, jpeg, gif and webp]", orUnknown(mime), len(data))}
}

// sniff gives the media types that models take.
func sniff(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return "image/gif"
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

func resource(c toolrest.Content) string {
	switch {
	case c.Text != "":
		return c.Text
	case len(c.Data) > 0:
		return fmt.Sprintf("[resource %s of type %s, %d bytes, left out: the model takes text and images]", c.URI, orUnknown(c.MIME), len(c.Data))
	}
	return strings.TrimSpace("[resource " + strings.TrimSpace(c.Name+" "+c.URI) + "]")
}

func orUnknown(mime string) string {
	if mime == "" {
		return "unknown"
	}
	return mime
}

// Arguments gives the arguments of a call as a JSON object, for wires that
// take nothing else: empty ones are {}, and what is no object is kept as the
// one member "unparsed" of an object, so that the model sees what it wrote.
func Arguments(c Call) []byte {
	raw := bytes.TrimSpace(c.Args)
	if len(raw) == 0 {
		return []byte("{}")
	}
	if isObject(raw) {
		return raw
	}
	return new(Object).Set("unparsed", string(c.Args)).Bytes()
}
