package gateway

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
)

const whereTheTokenIs = "send the header `Authorization: Bearer TOKEN`; " +
	"the token stands in the file `token` of the state folder ($TOOLREST_STATE, or else ~/.toolrest)"

// unauthorised says why a request does not come from the owner, or nothing
// when it does.
func (g *Gateway) unauthorised(r *http.Request) string {
	if tokenInQuery(r.URL.RawQuery) {
		return "a token in the address is not accepted, because addresses are logged; make a new one if it was real, and " + whereTheTokenIs
	}
	values := r.Header.Values("Authorization")
	switch len(values) {
	case 0:
		return "no token: " + whereTheTokenIs
	case 1:
	default:
		return "more than one Authorization header: " + whereTheTokenIs
	}
	scheme, token, _ := strings.Cut(strings.TrimSpace(values[0]), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return "the Authorization header is not one of the scheme Bearer: " + whereTheTokenIs
	}
	// The digests have one length, so the comparison takes one time.
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if subtle.ConstantTimeCompare(sum[:], g.token[:]) != 1 {
		return "the token is not the right one: " + whereTheTokenIs
	}
	return ""
}

// tokenInQuery reports whether a query string has a parameter that looks like
// a secret. What cannot be parsed is looked at as far as it can be.
func tokenInQuery(raw string) bool {
	query, _ := url.ParseQuery(raw)
	for name := range query {
		switch strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name)) {
		case "token", "accesstoken", "authtoken", "authorization", "bearer", "apikey", "key", "secret":
			return true
		}
	}
	return false
}

type ownerKey struct{}

func asOwner(ctx context.Context) context.Context { return context.WithValue(ctx, ownerKey{}, true) }

// IsOwner reports whether the request that ctx belongs to came with the
// owner's token.
func IsOwner(ctx context.Context) bool {
	owner, _ := ctx.Value(ownerKey{}).(bool)
	return owner
}
