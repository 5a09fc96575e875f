package policy

import "math/bits"

// globIndex finds the globs that match a name without trying each of them: it
// asks only those whose literal beginning, or end, the name has. Globs that
// begin and end with a star are tried one by one, so the worst list is linear.
type globIndex struct {
	globs    []indexedGlob // each pattern once
	at       map[string]int32
	prefixes affixes
	suffixes affixes
	free     []int32
}

type indexedGlob struct {
	glob
	matched
	next int32 // the next with the same affix, plus one
}

// intern gives the place of a pattern, which is added when it is new.
func (x *globIndex) intern(pattern string) *indexedGlob {
	if i, ok := x.at[pattern]; ok {
		return &x.globs[i]
	}
	if x.at == nil {
		x.at = map[string]int32{}
	}
	i := int32(len(x.globs))
	x.at[pattern] = i
	x.globs = append(x.globs, indexedGlob{glob: compileGlob(pattern)})
	g := &x.globs[i]
	switch prefix, suffix := g.prefix(), g.suffix(); {
	case prefix == "" && suffix == "":
		x.free = append(x.free, i)
	case len(prefix) >= len(suffix):
		g.next = x.prefixes.add(prefix, false, i)
	default:
		g.next = x.suffixes.add(suffix, true, i)
	}
	return g
}

// candidates visits the globs that may match.
func (x *globIndex) candidates(name string, visit func(*indexedGlob)) {
	for _, i := range x.free {
		visit(&x.globs[i])
	}
	chain := func(i int32) {
		for i != 0 {
			g := &x.globs[i-1]
			visit(g)
			i = g.next
		}
	}
	x.prefixes.find(name, false, chain)
	x.suffixes.find(name, true, chain)
}

// affixes are literal beginnings (or, read backwards, ends) by their hash.
// Different ones with the same hash share a chain: whoever asks compares.
type affixes struct {
	// lengths has, for each outermost byte, a bit for each length that occurs;
	// the last bit stands for all longer ones, which are in long.
	lengths *[256]uint64
	long    []int
	chains  map[uint64]int32
}

const longBit = 63

// add puts glob i at the head of its chain and gives the former head.
func (a *affixes) add(affix string, backwards bool, i int32) int32 {
	if a.chains == nil {
		a.chains, a.lengths = map[uint64]int32{}, new([256]uint64)
	}
	n := len(affix)
	a.lengths[outermost(affix, backwards)] |= 1 << min(n-1, longBit)
	if n > longBit {
		a.addLong(n)
	}
	h := extend(hashSeed, affix, 0, n, backwards)
	head := a.chains[h]
	a.chains[h] = i + 1
	return head
}

// addLong keeps the lengths in ascending order, each once.
func (a *affixes) addLong(n int) {
	lo, hi := 0, len(a.long)
	for lo < hi {
		if mid := (lo + hi) / 2; a.long[mid] < n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(a.long) && a.long[lo] == n {
		return
	}
	a.long = append(a.long, 0)
	copy(a.long[lo+1:], a.long[lo:])
	a.long[lo] = n
}

// find visits the chains of the affixes that name has, one hash for all.
func (a *affixes) find(name string, backwards bool, visit func(head int32)) {
	if len(a.chains) == 0 || name == "" {
		return
	}
	lengths := a.lengths[outermost(name, backwards)]
	h, done := uint64(hashSeed), 0
	for short := lengths &^ (1 << longBit); short != 0; short &= short - 1 {
		n := bits.TrailingZeros64(short) + 1
		if n > len(name) {
			return
		}
		h, done = extend(h, name, done, n, backwards), n
		visit(a.chains[h])
	}
	if lengths>>longBit == 0 {
		return
	}
	for _, n := range a.long {
		if n > len(name) {
			return
		}
		h, done = extend(h, name, done, n, backwards), n
		visit(a.chains[h])
	}
}

func outermost(s string, backwards bool) byte {
	if backwards {
		return s[len(s)-1]
	}
	return s[0]
}

// FNV-1a: it can be extended byte by byte.
const (
	hashSeed  = 14695981039346656037
	hashPrime = 1099511628211
)

func extend(h uint64, s string, from, to int, backwards bool) uint64 {
	for i := from; i < to; i++ {
		b := s[i]
		if backwards {
			b = s[len(s)-1-i]
		}
		h = (h ^ uint64(b)) * hashPrime
	}
	return h
}
