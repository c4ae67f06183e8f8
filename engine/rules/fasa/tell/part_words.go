package tell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// Explode tells of a roll for an explosion, or of the explosion.
func (n *Narrator) Explode(b *ship.Explode, cite string) {
	name := n.View.Name(b.Ship)
	switch {
	case b.Ordered:
		n.Line(0, cite, fmt.Sprintf("%s is blown up by her own crew, with %d power in her engines", name, b.Power))
	case !b.Exploded && b.Roll == 0:
		n.Line(0, cite, fmt.Sprintf("%s's superstructure is %d below 0: she holds", name, b.Need))
	case !b.Exploded:
		n.Line(0, cite, fmt.Sprintf("%s's superstructure is %d below 0: she explodes at %d or less, rolled %d: she holds", name, b.Need, b.Need, b.Roll))
	case b.Roll == 0:
		n.Line(0, cite, fmt.Sprintf("%s's superstructure is %d below 0: she explodes, with %d power in her engines", name, b.Need, b.Power))
	default:
		n.Line(0, cite, fmt.Sprintf("%s's superstructure is %d below 0: rolled %d: she explodes, with %d power in her engines", name, b.Need, b.Roll, b.Power))
	}
}

// WhyExplode explains why a ship explodes.
func WhyExplode(_ *rulebook.Rules, _ *engine.Story, _ int, b *ship.Explode) []string {
	switch {
	case b.Ordered:
		return nil
	case b.Need >= play.Surely:
		return []string{fmt.Sprintf("superstructure %d below 0: from %d on the ship explodes without a roll", b.Need, play.Surely)}
	}
	return []string{fmt.Sprintf("superstructure %d below 0: the ship explodes on a die of %d or less", b.Need, b.Need)}
}

// TellBlast tells what an explosion does to a ship.
func TellBlast(n *Narrator, b *ship.Blasted, cite string) {
	at := fmt.Sprintf(" at range %d", b.Range)
	if b.From == "" { // unseen
		at = ""
	}
	n.Line(0, cite, fmt.Sprintf("The explosion of %s reaches %s%s: %s", n.View.Name(b.From), n.View.Name(b.Ship), at, play.PointsStrike(b.Damage, b.Shield)))
}

// WhyBlasted explains the damage of an explosion at a distance.
func WhyBlasted(_ *rulebook.Rules, _ *engine.Story, _ int, b *ship.Blasted) []string {
	return []string{fmt.Sprintf("an explosion at range %d does %d: twice the power in its hex, the power in an adjacent hex, half as much for each hex more, one point from 7 to %d", b.Range, b.Damage, ship.BlastTo)}
}

// TellBonus tells the result of a crew's bonus.
func TellBonus(n *Narrator, b *ship.Bonus, cite string) {
	did := []string{"no effect"}
	switch {
	case b.Points == 0:
	case b.Superstructure != nil:
		did = []string{fmt.Sprintf("superstructure %d to %d", b.Superstructure.Before, b.Superstructure.After)}
	case len(b.Engines) > 0:
		did = engineWords(b.Engines)
	default:
		did = []string{fmt.Sprintf("%d extra power this turn, to %s", b.Points, b.To)}
	}
	what := map[string]string{
		rulebook.BonusSuperstructure: "makes an extra effort to repair the superstructure", rulebook.BonusEngine: "makes an extra effort to repair an engine", rulebook.BonusPower: "makes an extra effort for more power",
	}[b.What]
	n.Line(0, cite, fmt.Sprintf("%s's crew %s: needs %d, rolled %d: %s", n.View.Name(b.Ship), what, b.Need, b.Roll, strings.Join(did, ", ")))
}

// TellStrain tells what a maneuver did to a ship.
func TellStrain(n *Narrator, b *ship.Strain, cite string) {
	did := engineWords(b.Engines)
	if b.Superstructure != nil {
		did = append(did, fmt.Sprintf("superstructure %d to %d", b.Superstructure.Before, b.Superstructure.After))
	}
	n.Line(0, cite, n.View.Name(b.Ship), " is strained by her ", b.Why, ": ", strings.Join(did, ", "))
}

// TellEvade tells of an evasion.
func TellEvade(n *Narrator, b *ship.Evade, cite string) {
	what := b.Weapon
	salvoed := slices.ContainsFunc(n.View.Events, func(e engine.Entry) bool {
		d, is := e.Body.(*ship.Declare)
		return is && d.Ship == b.Against && d.Weapon == b.Weapon && d.Target == b.Ship && len(d.Mounts) > 1
	})
	if b.Mount > 1 || salvoed {
		what += "-" + strconv.Itoa(b.Mount)
	}
	way, verdict := "port", "it fails"
	if b.Heading == b.From.Turn(1) {
		way = "starboard"
	}
	if b.Success {
		verdict = "it does half damage, on the side now facing it"
	}
	n.Line(0, cite, fmt.Sprintf("%s evades %s of %s to %s, heading %s to %s, needs %d, rolled %d: %s",
		n.View.Name(b.Ship), what, n.View.Name(b.Against), way, b.From, b.Heading, b.Need, b.Roll, verdict))
}

// WithdrawWords tells that a ship does not fire because she evades.
func WithdrawWords(_ *rulebook.Rules, v *engine.View, b *ship.Withdraw) string {
	return fmt.Sprintf("%s no longer fires %s (mounts %s) at %s", v.Name(b.Ship), b.Weapon, tactical.JoinInts(b.Mounts), v.Name(b.Target))
}

// TellHelm tells that a ship has set her engines the other way.
func TellHelm(n *Narrator, b *ship.HelmSet, cite string) {
	if b.Shift {
		way := rulebook.WayAhead
		if b.Astern {
			way = rulebook.WayAstern
		}
		n.Line(0, cite, n.View.Name(b.Ship), " has set her engines to go ", way)
	}
}

// Mine tells of a ship meeting a mine.
func (n *Narrator) Mine(b *ship.MineMet, cite string) {
	does := "it goes off: " + play.PointsStrike(b.Damage, b.Shield)
	switch {
	case b.Dummy:
		does = "it is a dummy"
	case b.Evaded:
		does = "evaded by the emergency heading change"
	}
	n.Line(0, cite, fmt.Sprintf("%s meets a mine at %s: %s", n.View.Name(b.Ship), b.Hex.Label(), does))
}

// Debris tells of a ship entering asteroids.
func (n *Narrator) Debris(b *ship.Debris, cite string) {
	verdict := "nothing strikes it"
	if b.Struck {
		verdict = play.PointsStrike(b.Damage, b.Shield)
	}
	n.Line(0, cite, fmt.Sprintf("%s enters the asteroids at %s: struck at %d or less, rolled %d: %s", n.View.Name(b.Ship), b.Hex.Label(), b.Need, b.Roll, verdict))
}

// WhyStruck explains why rocks strike a ship.
func WhyStruck(_ *rulebook.Rules, _ *engine.Story, _ int, b *ship.Debris) []string {
	return []string{fmt.Sprintf("struck on a die of %d or less", b.Need)}
}

// Struck tells what a shield absorbed of a hit that was not fire.
func (n *Narrator) Struck(b *ship.ShieldHit, cite string) {
	n.Line(1, cite, shieldWords(b))
}

// TellRepair tells the result of a repair.
func TellRepair(n *Narrator, b *ship.Mend, cite string) {
	verdict := "not yet; the next attempt is easier by 1"
	if b.Done {
		verdict = "it works again"
	}
	for _, up := range b.Shields {
		verdict += fmt.Sprintf(", shield %d comes up with %d", up.Shield, up.After)
	}
	if b.Armed != nil {
		verdict += fmt.Sprintf(", with %d of its %d power", b.Armed.After, b.Armed.Before)
	}
	n.Line(0, cite, fmt.Sprintf("%s repairs %s: %s: %s", n.View.Name(b.Ship), b.System, rulebook.TriedWords(b.Need, b.Modifiers, b.Roll, rulebook.SlimRoll{Slim: b.Slim, Second: b.Second}), verdict))
}

func tellSurvey(n *Narrator, b *ship.Surveyed, cite string) {
	what := "the " + b.Kind
	if b.Name != "" {
		what = b.Name
	}
	verdict := "no lock"
	if b.Held {
		verdict = "a lock"
	}
	n.Line(0, cite, fmt.Sprintf("%s trains her sensors on %s at %s: needs %d, rolled %d: %s", n.View.Name(b.Ship), what, b.Hex.Label(), b.Need, b.Roll, verdict))
	if !b.Held {
		return
	}
	var told []string
	for _, name := range play.FactNames() {
		told = append(told, name+": "+b.Facts[name])
	}
	n.Line(1, "", strings.Join(told, "; "))
}

// TellWarp tells of a change of warp speed.
func TellWarp(n *Narrator, b *ship.WarpSet, cite string) {
	text := fmt.Sprintf("%s goes from %s to %s", n.View.Name(b.Ship), play.WarpWord(b.From), play.WarpWord(b.To))
	if b.Follows != "" {
		text += ", after " + n.View.Name(b.Follows)
	}
	switch {
	case len(b.FollowedBy) > 0:
		var names []string
		for _, id := range b.FollowedBy {
			names = append(names, n.View.Name(id))
		}
		text += ", followed by " + strings.Join(names, ", ")
	case b.Followed:
		text += ", but is followed"
	}
	n.Line(0, cite, text)
}

func engineWords(changes []ship.EngineChange) []string {
	var out []string
	for _, c := range changes {
		out = append(out, fmt.Sprintf("%s %d to %d", rulebook.EngineTitle(c.Engine), c.Before, c.After))
	}
	return out
}
