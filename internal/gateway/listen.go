package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
)

// Listen opens a TCP listener at addr, which is a loopback address or a name
// that means nothing but loopback addresses, and a port; port 0 lets the
// system choose. It refuses all other addresses: there is no transport
// security here, and a token that crosses a network is a token given away.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen at %q: %w; write an address and a port, as in 127.0.0.1:7331", addr, err)
	}
	ip, err := loopback(ctx, host, net.DefaultResolver.LookupNetIP)
	if err != nil {
		return nil, fmt.Errorf("listen at %q: %w", addr, err)
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(ip.String(), port))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("listen at %q: the port is taken, perhaps by another toolrest: choose another one, or 0 for any: %w", addr, err)
	case err != nil:
		return nil, fmt.Errorf("listen at %q: %w", addr, err)
	}
	return ln, nil
}

// lookup gives the addresses of a name.
type lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)

// loopback gives the address that host means. The listener gets the address
// and not the name, which could mean something else a moment later.
func loopback(ctx context.Context, host string, resolve lookup) (netip.Addr, error) {
	const instead = "use 127.0.0.1, and for other machines a tunnel such as ssh -L or a proxy with TLS in front"
	switch {
	case host == "":
		return netip.Addr{}, errors.New("no host means every network this machine is in: " + instead)
	case strings.EqualFold(host, "localhost"):
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), nil
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		if !ip.IsLoopback() {
			return netip.Addr{}, fmt.Errorf("%s can be reached from other machines: %s", ip, instead)
		}
		return ip, nil
	}
	ips, err := resolve(ctx, "ip", host)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("look up the host: %w", err)
	}
	for _, ip := range ips {
		if !ip.IsLoopback() {
			return netip.Addr{}, fmt.Errorf("%s means %s, which can be reached from other machines: %s", host, ip.Unmap(), instead)
		}
	}
	if len(ips) == 0 {
		return netip.Addr{}, fmt.Errorf("%s means no address at all: %s", host, instead)
	}
	return ips[0], nil
}
