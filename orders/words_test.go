package orders

import (
	"fmt"
	"strings"
	"testing"
)

// TestWords: words have the right columns, and quotes, comments and commas count if asked for.
func TestWords(t *testing.T) {
	tests := []struct {
		how  Splitting
		line string
		want string // word, column, q for quoted
	}{
		{Splitting{}, "  status\u00a0wolf\tkey A,B", "status 3|wolf 10|key 15|A,B 19"},
		{Splitting{}, `say "a b" ; c`, `say 1|"a 5|b" 8|; 11|c 13`},
		{Splitting{Comments: true}, "vote draw; x ; no more", "vote 1|draw; 6|x 12"},
		{Splitting{Commas: true}, "dice 2,6, 5", "dice 1|2 6|6 8|5 11"},
		{Splitting{Quotes: true}, "pause --why \u201cthe mail\tserver\u201d now", "pause 1|--why 7|the mail server 13 q|now 31"},
		{Splitting{Quotes: true}, `a"b ""c"d "open, to the end`, `a 1|b  2 q|c 6 q|d 9|open, to the end 11 q`},
		{Splitting{Quotes: true}, `x "" y`, "x 1| 3 q|y 6"},
		{Splitting{Quotes: true, Comments: true, Commas: true}, "", ""},
	}
	for _, test := range tests {
		var got []string
		for _, w := range test.how.Words(test.line, 7) {
			s := fmt.Sprintf("%s %d", w.Text, w.Pos.Col)
			if w.Quoted {
				s += " q"
			}
			if w.Pos.Line != 7 {
				t.Errorf("%q: line %d", test.line, w.Pos.Line)
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "|"); s != test.want {
			t.Errorf("%+v %q:\ngot  %s\nwant %s", test.how, test.line, s, test.want)
		}
	}
}
