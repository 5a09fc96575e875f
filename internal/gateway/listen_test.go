package gateway

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"testing"
)

func TestListen(t *testing.T) {
	tests := map[string]struct{ addr, text string }{
		"IPv4":                     {"127.0.0.1:0", ""},
		"another loopback address": {"127.0.0.2:0", ""},
		"name":                     {"localhost:0", ""},
		"name in capitals":         {"LocalHost:0", ""},
		"any":                      {"0.0.0.0:0", "can be reached from other machines"},
		"any of IPv6":              {"[::]:0", "can be reached from other machines"},
		"any in disguise":          {"[::ffff:0.0.0.0]:0", "can be reached from other machines"},
		"no host":                  {":0", "every network this machine is in"},
		"nothing":                  {"", "127.0.0.1:7331"},
		"port alone":               {"7331", "127.0.0.1:7331"},
		"no port":                  {"127.0.0.1", "127.0.0.1:7331"},
		"private":                  {"192.168.1.2:0", "ssh -L"},
		"public":                   {"203.0.113.9:0", "ssh -L"},
		"link local":               {"[fe80::1]:0", "ssh -L"},
		"port out of range":        {"127.0.0.1:70000", "invalid port"},
		"negative port":            {"127.0.0.1:-1", "invalid port"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ln, err := Listen(t.Context(), test.addr)
			if test.text != "" {
				if err == nil {
					ln.Close()
					t.Fatalf("listens at %s", ln.Addr())
				}
				if !strings.Contains(err.Error(), test.text) {
					t.Errorf("error %q, want %q", err, test.text)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer ln.Close()
			addr := netip.MustParseAddrPort(ln.Addr().String())
			if !addr.Addr().IsLoopback() || addr.Port() == 0 {
				t.Errorf("listens at %s", addr)
			}
		})
	}
}

func TestListenIPv6(t *testing.T) {
	if probe, err := net.Listen("tcp", "[::1]:0"); err != nil {
		t.Skipf("this machine has no IPv6: %v", err)
	} else {
		probe.Close()
	}
	ln, err := Listen(t.Context(), "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
}

func TestListenSaysThatThePortIsTaken(t *testing.T) {
	first, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	_, err = Listen(t.Context(), first.Addr().String())
	if !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), "another toolrest") {
		t.Errorf("error %v", err)
	}
}

// A name is good when it means loopback addresses and nothing else.
func TestListenLooksNamesUp(t *testing.T) {
	broken := errors.New("no such name")
	names := map[string][]netip.Addr{
		"box":    {netip.MustParseAddr("127.0.1.1"), netip.MustParseAddr("::1")},
		"mapped": {netip.MustParseAddr("::ffff:127.0.0.1")},
		"both":   {netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("192.168.1.2")},
		"lan":    {netip.MustParseAddr("::ffff:192.168.1.2")},
		"none":   {},
	}
	resolve := func(_ context.Context, network, host string) ([]netip.Addr, error) {
		ips, ok := names[host]
		if !ok || network != "ip" {
			return nil, broken
		}
		return ips, nil
	}
	tests := map[string]struct{ want, text string }{
		"box":    {"127.0.1.1", ""},
		"mapped": {"::ffff:127.0.0.1", ""},
		"both":   {"", "both means 192.168.1.2, which can be reached from other machines"},
		"lan":    {"", "lan means 192.168.1.2"},
		"none":   {"", "no address at all"},
		"other":  {"", "look up the host: no such name"},
	}
	for host, test := range tests {
		t.Run(host, func(t *testing.T) {
			ip, err := loopback(t.Context(), host, resolve)
			if test.text != "" {
				if err == nil || !strings.Contains(err.Error(), test.text) {
					t.Errorf("got %s, %v", ip, err)
				}
				return
			}
			if err != nil || ip.String() != test.want {
				t.Errorf("got %s, %v", ip, err)
			}
		})
	}
}
