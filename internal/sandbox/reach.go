package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// Reach says in plain words what a command could do on a machine with the
// given support. It is empty where the ring holds completely. Print it when a
// program starts, and wherever a command ran with less than the whole ring.
func (r Ring) Reach(s Support) string {
	switch {
	case s.Ring && s.PIDs:
		return ""
	case s.Ring:
		return fmt.Sprintf("Commands cannot reach the state and the config, but they see all processes of the machine and "+
			"can send signals to those of user %s, this program among them, because there is no PID namespace: %s.", who(), s.Reason)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Commands run with all rights of user %s and nothing keeps them from this program's own files, "+
		"because the kernel gives no namespaces: %s.", who(), s.Reason)
	if len(r.Hide) > 0 {
		fmt.Fprintf(&b, " They can read and change %s (state, tokens, approvals).", strings.Join(r.Hide, ", "))
	}
	if len(r.ReadOnly) > 0 {
		fmt.Fprintf(&b, " They can change %s, and with it what they are allowed to do.", strings.Join(r.ReadOnly, ", "))
	}
	b.WriteString(" They can signal, trace and stop this program.")
	return b.String()
}

func who() string {
	if os.Geteuid() == 0 {
		return "root"
	}
	return fmt.Sprint(os.Geteuid())
}

// hint says what to do about the usual refusals of the kernel.
func hint(err error) string {
	switch {
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EACCES):
		return " (user namespaces are switched off here: see the sysctls kernel.unprivileged_userns_clone and " +
			"kernel.apparmor_restrict_unprivileged_userns, or the security profile of the container)"
	case errors.Is(err, syscall.ENOSPC):
		return " (the number of user namespaces is used up: see the sysctl user.max_user_namespaces)"
	case errors.Is(err, syscall.ENOSYS):
		return " (the kernel is older than 5.12)"
	}
	return ""
}
