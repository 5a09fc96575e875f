package main

import (
	"strconv"
	"testing"
)

// BenchmarkTable is the table for tools that compare runs:
//
//	go test -run '^$' -bench 'Table/plan' -benchmem -count 10 ./bench
func BenchmarkTable(b *testing.B) {
	for _, r := range table() {
		b.Run(r.work+"/"+strconv.Itoa(r.size), r.run)
	}
}
