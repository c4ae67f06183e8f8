package desk_test

import (
	"path/filepath"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/pbem/campaign"
	"starpost/pbem/desk"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

const duelOfCrews = `format = 1
name = "duel"
title = "A Duel"
rules = "stcs-command"
last_turn = 1

[[side]]
id = "federation"
name = "Federation"

[[side]]
id = "klingon"
name = "Klingon"

[[ship]]
name = "Hood"
side = "federation"
class = "constitution-ii"
hex = "1010"
heading = "A"

[[ship]]
name = "Talon"
side = "klingon"
class = "k-23f"
hex = "1007"
heading = "D"

[ship.repair]
superstructure = 2

[[victory]]
side = "federation"
when = "drive-off"
ships = ["Talon"]
`

// campaigned is a war with battles by mail: the Hood has Kirk, Scott and Sulu.
type campaigned struct {
	*office
	roster *campaign.Roster
	rules  *family.CampaignRules
}

// battle begins a game with the roster's ships, and each officer at their post.
func (c *campaigned) battle(id string, seed uint64) {
	c.t.Helper()
	text, _, diags, err := c.roster.Muster([]byte(duelOfCrews), c.rules)
	if err != nil || len(diags) > 0 {
		c.t.Fatal(err, diags)
	}
	mail := vault.DefaultMail()
	mail.Robot = robot
	setup := turn.Setup{Scenario: text, ID: id, Mail: mail, Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: began}}
	for _, o := range c.roster.Aboard("Hood", c.rules.Posts) {
		captain := vault.Captain{Name: o.Name, Address: strings.ToLower(string(o.Name)) + "@example.org"}
		if o.Post == "" {
			captain.Ships = []string{"Hood"}
		} else {
			captain.Posts = []string{"Hood." + o.Post}
		}
		setup.Captains = append(setup.Captains, captain)
	}
	dir := filepath.Join(c.t.TempDir(), id)
	if _, err := turn.Create(dir, catalogue(), setup); err != nil {
		c.t.Fatal(err)
	}
	if c.game, err = vault.Open(directory.At(dir), catalogue()); err != nil {
		c.t.Fatal(err)
	}
	c.desk = &desk.Desk{Robot: effect.Robot{Address: robot, Name: "Starpost"}, Registry: identity.Registry{Games: c.office}, Services: command.Services{Listings: c.office}, Strangers: true}
}

// mails sends an officer's orders for their post, and returns the answer.
func (c *campaigned) mails(name engine.CaptainName, lines string) handled {
	c.t.Helper()
	head := "ship Hood"
	if post := c.roster.Captain(name).Post; post != "" {
		head = post + " Hood"
	}
	return c.receive(strings.ToLower(string(name))+"@example.org", robot, "#orders "+c.game.ID()+" turn 1 "+head+" key "+c.key(name)+"\n"+lines+"\n#end\n")
}

// record resolves the only turn, and enters the game in the roster.
func (c *campaigned) record() campaign.Game {
	c.t.Helper()
	c.resolve()
	start, err := c.game.Stages.State(vault.At(0))
	if err != nil {
		c.t.Fatal(err)
	}
	end, err := c.game.Stages.State(vault.At(1))
	if err != nil {
		c.t.Fatal(err)
	}
	events, err := c.game.Stages.Events(vault.At(1))
	if err != nil {
		c.t.Fatal(err)
	}
	g, _, err := c.roster.Record(campaign.FinishedGame{
		ID: c.game.ID(), Hash: strings.Repeat("0", 62) + strings.Repeat(c.game.ID()[len(c.game.ID())-1:], 2), Title: end.Title, Turns: 1, Result: "over",
		Crewed: true, Ships: c.rules.Served(start, end, events, c.rules.Shares[0].Name),
	}, campaign.FateRuling{}, c.rules)
	if err != nil {
		c.t.Fatal(err)
	}
	return g
}

// TestCampaignOfCrewsByMail checks that officers name by mail the skills that their points go to,
// that a skill of another post is refused with a hint, and that in the next battle each has the
// ratings earned, at a post of their own choice.
func TestCampaignOfCrewsByMail(t *testing.T) {
	const guns = "power\n  arm bank-a 5 5\n  arm bank-b 5 5\n  arm bank-c 5 5\nphase 1\n  fire all at Talon\nphase 2\n  fire all at Talon\nphase 3\n  fire all at Talon\n"
	c := &campaigned{office: &office{t: t}, rules: fasa.Family().Campaign}
	var err error
	if c.roster, err = campaign.New("War", "", nil); err != nil {
		t.Fatal(err)
	}
	fifty := campaign.Rating{Value: 50}
	for _, name := range []engine.CaptainName{"Kirk", "Scott", "Sulu"} {
		if err := c.roster.Recruit(name, fifty, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.roster.Commission("Hood", "constitution-ii", fifty); err != nil {
		t.Fatal(err)
	}
	for name, post := range map[engine.CaptainName]string{"Kirk": "", "Scott": "engineer", "Sulu": "helm"} {
		if err := c.roster.Assign(name, "Hood", post); err != nil {
			t.Fatal(err)
		}
	}
	train := func() { c.roster.Train("Hood", c.rules, func(string, int) campaign.Rating { return fifty }) }
	train()

	c.battle("duel-a", 3)
	if h := c.mails("Scott", "totals move 4 weapons 32 shields 8\nstanding\n  learn warp-drive"); h.Outcome != desk.Done {
		t.Errorf("%s: %s", h.Outcome, h.text())
	}
	if h := c.mails("Sulu", guns+"standing\n  learn sensors"); h.Outcome != desk.Refused || !hasCode(h, "E177") || !strings.Contains(h.text(), "Hint: write: learn helm, or learn weaponry") {
		t.Errorf("a skill of another post: %s: %s", h.Outcome, h.text())
	}
	if h := c.mails("Sulu", guns+"standing\n  learn weaponry"); h.Outcome != desk.Done {
		t.Errorf("%s: %s", h.Outcome, h.text())
	}
	if g := c.record(); g.Ships[0].Points != 4 {
		t.Fatalf("the Hood has %d points, want 4 of a ship of 43 power", g.Ships[0].Points)
	}
	kirk, scott, sulu := c.roster.Captain("Kirk"), c.roster.Captain("Scott"), c.roster.Captain("Sulu")
	if kirk.Skill != 52 || scott.Ratings["warp_drive"] != 51 || sulu.Ratings["weaponry"] != 51 || sulu.Ratings["helm"] != 50 {
		t.Errorf("got %+v, %+v, %+v; want the captain 2 better, and each officer 1 where he said", kirk, scott, sulu)
	}

	// They change posts, and keep their ratings.
	if err := c.roster.Rotate("Hood", []campaign.Posting{{Post: "", Officer: "Sulu"}, {Post: "helm", Officer: "Kirk"}}); err != nil {
		t.Fatal(err)
	}
	train()
	c.battle("duel-b", 3)
	for file, want := range map[string]string{"hood": "weaponry 50%", "hood.engineer": "warp drive 51%, astronautics 50%", "hood.helm": "the helm: Kirk, helm 50%, weaponry 50%"} {
		page, err := c.game.Stages.File(vault.At(0), "reports/"+file+".txt")
		if err != nil || !strings.Contains(strings.Join(strings.Fields(string(page)), " "), want) {
			t.Errorf("the report %s (%v) does not say %q:\n%s", file, err, want, page)
		}
	}
	if h := c.mails("Scott", "totals move 4 weapons 32 shields 8\nstanding\n  learn astronautics"); h.Outcome != desk.Done {
		t.Errorf("%s: %s", h.Outcome, h.text())
	}
	if h := c.mails("Kirk", guns); h.Outcome != desk.Done {
		t.Errorf("%s: %s", h.Outcome, h.text())
	}
	c.record()
	kirk, scott, sulu = c.roster.Captain("Kirk"), c.roster.Captain("Scott"), c.roster.Captain("Sulu")
	if sulu.Skill != 52 || scott.Ratings["astronautics"] != 51 || kirk.Spare != 1 || kirk.Skill != 52 {
		t.Errorf("got %+v, %+v, %+v; want points for the new captain, a new skill for the engineer, and one kept for the helm, who named none", sulu, scott, kirk)
	}
}
