package orders

import (
	"strings"
	"testing"
)

// TestOrderOfAnotherPost: a verb that belongs to posts is refused in the set of any other,
// by whose it is, and nothing else of the set is lost.
func TestOrderOfAnotherPost(t *testing.T) {
	lang := sample()
	for i := range lang.Sections {
		for k := range lang.Sections[i].Verbs {
			switch v := &lang.Sections[i].Verbs[k]; v.Name {
			case "warp":
				v.Posts = []string{"helm"}
			case "cancel":
				v.Posts = []string{"ship"}
			}
		}
	}
	if err := lang.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ head, order, want string }{
		{"helm", "warp +1", ""},
		{"ship", "warp +1", "2:1 E039 warp is an order of the helm, not of the captain"},
		{"engineer", "warp +1", "2:1 E039 warp is an order of the helm, not of the engineer"},
		{"engineer", "cancel", "2:1 E039 cancel is an order of the captain, not of the engineer"},
		{"ship", "cancel", ""},
		{"engineer", "final", ""},
	} {
		blocks, ds := Parse([]byte("#orders wolf turn 3 "+c.head+" Hood\n"+c.order+"\nwait\n#end\n"), lang)
		var got string
		for _, d := range ds {
			got += strings.TrimPrefix(d.Pos.String()+" "+d.Code+" "+d.Message, "line ")
		}
		if got != c.want {
			t.Errorf("%s in the set of the %s: got %q, want %q", c.order, c.head, got, c.want)
		}
		if g, ok := blocks[0].Group("", 0); !ok || len(g.All("wait")) != 1 {
			t.Errorf("%s in the set of the %s: the rest of the set is lost", c.order, c.head)
		}
	}
	lang.Sections[0].Verbs[0].Posts = []string{"cook"}
	if err := lang.Validate(); err == nil || !strings.Contains(err.Error(), "cook") {
		t.Errorf("a verb of a post that there is not: %v", err)
	}
}
