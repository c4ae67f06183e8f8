package orders

import (
	"slices"
	"strings"
	"testing"
)

func TestBeyondTellsWhatIsNewAndChangedAndGone(t *testing.T) {
	base, more := *sample(), sample()
	more.Rules = "more"
	power := &more.Sections[0]
	power.Verbs = slices.Clone(power.Verbs)
	power.Verbs = append(power.Verbs, Verb{
		Name: "cloak", Forms: []Form{"cloak STATE at SHIP"}, Doc: "Hides a ship. Not for long.", Examples: []string{"cloak on at Hood"},
	})
	power.Verbs[2].Doc = "Arms two weapons at once."
	power.Verbs = slices.Delete(power.Verbs, 0, 1)
	more.Params["STATE"] = Param{Class: Choice, Choices: []string{"on", "off"}, Doc: "on or off"}
	more.Params["SHIP"] = Param{Class: Name, Doc: "a ship, or `nearest`"}
	more.Subjects = append(slices.Clone(more.Subjects), Subject{Form: "cloaked", Kind: FlagSubject, Doc: "it is hidden"})
	got := more.Beyond(base)
	for _, want := range []string{
		"# What more adds to sample\n",
		"| `power` | `cloak` | Hides a ship |\n",
		"| `power` | `arm`, changed | Arms two weapons at once |\n",
		"not there any more: `move` (`power`).",
		"## Values that mean more\n",
		"- `SHIP`: a ship, or `nearest`\n",
		"### cloak\n\n```\ncloak STATE at SHIP\n```\n\nHides a ship. Not for long.\n\n- `STATE`: on or off: `on` `off`\n\nFor example:\n\n```\ncloak on at Hood\n```\n",
		"| `cloaked` | nothing | it is hidden |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, verb := range []string{"shields", "pursue", "fire"} {
		if strings.Contains(got, "### "+verb+"\n") {
			t.Errorf("%s is told again", verb)
		}
	}
}

func TestBeyondItselfIsNothing(t *testing.T) {
	got := sample().Beyond(*sample())
	if _, rest, _ := strings.Cut(got, "|---|---|---|\n"); rest != "" {
		t.Errorf("something is left: %s", rest)
	}
}
