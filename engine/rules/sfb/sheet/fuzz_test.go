package sheet

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"starpost/engine/family"
)

// FuzzReadSheet: no text panics; a valid sheet can be written and read back unchanged, and damage can be allocated to
// it.
func FuzzReadSheet(f *testing.F) {
	for _, name := range []string{"cadet-klingon", "cadet-federation"} {
		text, err := data.ReadFile("data/" + name + ".toml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("name = \"a\"\nshields = \"0/1 1 1 1 1 200\"\nturn_mode = \"1 to 2, 2 to 3\"\n[banks]\na = \"1/2 hull\"\n'b-c' = \"1 esg LF+R\"\n")
	f.Add("name = 1\n[banks.a]\nb = 2\n[marks]\nA = 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Read("f.toml", []byte(text))
		if err != nil {
			if bad, ok := errors.AsType[*family.TableError](err); !ok || bad.Message == "" {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, err := Read("f.toml", []byte(c.toml()))
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("%+v\nis written\n%s\nand read back as %+v, %v", c, c.toml(), again, err)
		}
		Allocate(c.Sheet, Volley{1, 500}, func(point int) int { return point%6 + 1 }, Choice{})
	})
}

// FuzzAllocate: no text panics; mistakes have places inside the text.
func FuzzAllocate(f *testing.F) {
	f.Add("1:21 2:3\ndice 2 6 5,3 ; as they fell\nlose hull fore:2 aft\n")
	f.Add("6:99999\nseed 18446744073709551616\nlose weapons\ndice 7\n\u00a01:1\r\nx")
	f.Fuzz(func(t *testing.T, text string) {
		done, diags, err := AllocateTask(family.AllocateTask{Class: "cadet-klingon", Text: text, Line: 3}, nil)
		if err != nil || (done == nil) == (len(diags) == 0) {
			t.Fatalf("%v, %v, %v", done, diags, err)
		}
		for _, d := range diags {
			if n := d.Pos.Line - 3; n < 0 || n > strings.Count(text, "\n") || d.Pos.Col < 1 || d.Message == "" || d.Hint == "" {
				t.Fatalf("%q: %+v", text, d)
			}
		}
	})
}
