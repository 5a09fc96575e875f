package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// foreign says why a request cannot have been meant for this machine, or
// nothing when it can. A browser that was led here by a rebound name sends
// that name as the host, and the page's own address as the origin.
func foreign(r *http.Request) string {
	if !isLoopbackHost(r.Host) {
		return "the Host header does not name this machine: use 127.0.0.1, [::1] or localhost"
	}
	for _, origin := range r.Header.Values("Origin") {
		if !isLoopbackOrigin(origin) {
			return "the Origin header is not one of this machine: web pages from elsewhere cannot use this server"
		}
	}
	return ""
}

func isLoopbackOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil && isLoopbackHost(u.Host)
}

// isLoopbackHost reports whether host, with or without a port, is localhost or
// a loopback address in its usual spelling.
func isLoopbackHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	} else if inner, ok := strings.CutPrefix(host, "["); ok {
		name, ok = strings.CutSuffix(inner, "]")
		if !ok {
			return false
		}
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.IsLoopback()
}
