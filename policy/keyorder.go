package policy

import "strconv"

// Peers that keep objects in memory give their keys in another order than
// that of the file: those that are written as array indexes come first, by
// number. Where two keys mean the same, the first of them counts, so the order
// decides.

// precedes reports whether key a counts before key b when a stands earlier in
// the file.
func precedes(a, b string) bool {
	n, indexed := arrayIndex(b)
	if !indexed {
		return true
	}
	m, both := arrayIndex(a)
	return both && m <= n
}

// maxIndex is the greatest array index.
const maxIndex = 1<<32 - 2

func arrayIndex(key string) (uint64, bool) {
	if key == "" || len(key) > 10 || key[0] < '0' || key[0] > '9' || key[0] == '0' && len(key) > 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(key, 10, 64)
	return n, err == nil && n <= maxIndex
}
