package postgres

import (
	"strconv"
	"testing"
)

// TestManyGamesHaveMoreRoom: memos beyond the limit drop the others, except on a host with so many games that each has room.
func TestManyGamesHaveMoreRoom(t *testing.T) {
	const each, memos = mostKept / 16, 20
	for games, kept := range map[int]int{memos: memos % 16, 2 * mostKept / mostKeptEach: memos} {
		s := &Games{found: found{versions: map[string]int64{}}}
		for n := range games {
			s.found.versions[strconv.Itoa(n)] = 1
		}
		for n := range memos {
			m := newMemo("")
			m.data["state.json"] = make([]byte, each-1000)
			s.keep(strconv.Itoa(n), m)
		}
		if len(s.recent) != kept {
			t.Errorf("of %d games %d memos of %d are kept, want %d", games, len(s.recent), memos, kept)
		}
	}
}
