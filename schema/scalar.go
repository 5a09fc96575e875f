package schema

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// numeric is what a text must look like to say a number.
var numeric = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// maxSafe is the largest integer that every reader of JSON holds exactly.
const maxSafe = 1<<53 - 1

func is(v any, kind string) bool {
	got := typeName(v)
	if got == "number" && kind == "integer" {
		number, ok := v.(json.Number)
		return ok && whole(number)
	}
	return got == kind
}

// to gives the value of another type that says the same as v.
func (c *coercion) to(kind string, v any) (any, bool) {
	switch kind {
	case "number", "integer":
		return c.toNumber(kind, v)
	case "boolean":
		switch {
		case v == nil, v == "false", numberIs(v, 0):
			return false, true
		case v == "true", numberIs(v, 1):
			return true, true
		}
	case "null":
		return nil, v == "" || v == false || numberIs(v, 0)
	case "string":
		switch x := v.(type) {
		case nil:
			return "", true
		case bool:
			return strconv.FormatBool(x), true
		case json.Number:
			if c.OpenClaw {
				return scriptText(x), true
			}
			return string(x), true
		}
	}
	return nil, false
}

func (c *coercion) toNumber(kind string, v any) (any, bool) {
	switch x := v.(type) {
	case nil:
		return json.Number("0"), true
	case bool:
		if x {
			return json.Number("1"), true
		}
		return json.Number("0"), true
	case string:
		return c.readNumber(kind, strings.TrimSpace(x))
	}
	return nil, false
}

// readNumber reads a number out of a text. What is JSON already stays as it is
// written; OpenClaw has no more digits than a float.
func (c *coercion) readNumber(kind, text string) (any, bool) {
	if len(text) > maxNumber || !numeric.MatchString(text) {
		return nil, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, false
	}
	switch number := json.Number(text); {
	case !c.OpenClaw && json.Valid([]byte(text)):
		if kind == "number" {
			return number, true
		}
		return integral(number), whole(number)
	case kind == "number":
		return json.Number(scriptText(json.Number(strconv.FormatFloat(f, 'g', -1, 64)))), true
	case f != math.Trunc(f) || math.Abs(f) > maxSafe:
		return nil, false
	}
	return json.Number(strconv.FormatInt(int64(f), 10)), true
}

func numberIs(v any, n float64) bool {
	number, ok := v.(json.Number)
	if !ok {
		return false
	}
	f, err := number.Float64()
	return err == nil && f == n
}

// whole reports whether a number is an integer, however it is written.
func whole(n json.Number) bool {
	r, ok := new(big.Rat).SetString(string(n))
	return ok && r.IsInt()
}

// integral writes a number that is an integer without a fraction or an
// exponent.
func integral(n json.Number) json.Number {
	r, ok := new(big.Rat).SetString(string(n))
	if !ok || !r.IsInt() || len(r.Num().String()) > maxNumber {
		return n
	}
	return json.Number(r.Num().String())
}

// scriptText writes a number as JavaScript does: in digits from 1e-6 up to
// 1e21.
func scriptText(n json.Number) string {
	f, err := n.Float64()
	if err != nil {
		return string(n)
	}
	if size := math.Abs(f); f != 0 && (size < 1e-6 || size >= 1e21) {
		text := strconv.FormatFloat(f, 'e', -1, 64)
		mantissa, exponent, _ := strings.Cut(text, "e")
		return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
	}
	if f == 0 {
		return "0" // also for -0
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// sameMap reports whether a and b are one map, not whether they are equal.
func sameMap(a, b map[string]any) bool {
	return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
}
