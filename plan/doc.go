// Package plan says what one caller sees and why: which tools are visible,
// and for each hidden one the reasons. It joins the registry's snapshot, the
// availability of each tool and the policy, and every door asks it, for
// listing as for calling, so that what is visible is what can be called.
//
// A plan is an immutable value. Building one runs nothing and changes nothing;
// facts of the world come in through [Facts].
package plan
