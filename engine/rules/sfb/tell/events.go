package tell

import (
	"cmp"
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// EventsOf returns the events of a book, those of its parts last, and its words for events defined elsewhere.
func EventsOf(b *rulebook.Book, ofParts []Event) family.Events[*narrator, *rulebook.Rules] {
	rows := []Event{
		family.Own("energy", Told[state.Energy]{Tell: (*narrator).energy, Why: whyEnergy}),
		family.Own("speed", Told[state.Speed]{Tell: (*narrator).speed, Why: func(l *rulebook.Rules, _ *engine.Story, _ int, b *state.Speed) []string {
			return []string{fmt.Sprintf("at speed %s she moves on impulses %s", play.SpeedWord(&l.Book, b.Speed), l.MovesOn(b.Speed))}
		}}),
		family.Own("order", Told[state.Order]{Tell: (*narrator).order, Why: because[state.Order]("slower ships first, then those of the higher turn mode, then by die roll")}),
		family.Own("helm", Told[state.Helm]{Alone: func(_ *rulebook.Rules, v *engine.View, b *state.Helm) string {
			return fmt.Sprintf("%s has moved %s straight", v.Name(b.Ship), phrase.Hexes(b.Straight))
		}}),
		family.Own("meeting", Told[state.Meeting]{Alone: func(_ *rulebook.Rules, v *engine.View, b *state.Meeting) string {
			return fmt.Sprintf("%s enters the hex of %s: her side %d faced %s, whose side %d faced her", v.Name(b.Ship), v.Name(b.With), b.Side+1, v.Name(b.With), b.WithSide+1)
		}}),
		family.Own("launch", Told[state.Launch]{
			Tell: Says(func(_ *rulebook.Rules, v *engine.View, b *state.Launch) string {
				return fmt.Sprintf("%s launches %s from %s at %s, heading %s", v.Name(b.Ship), b.Drone, b.Weapon, v.Name(b.Target), b.At.Heading)
			}),
			Why:     because[state.Launch]("it heads as directly at its target as it can"),
			Unknown: play.LaunchInTheDark,
		}),
		family.Own("launch-seen", Told[play.LaunchSeen]{Tell: Says(launchSeenWords)}, engine.InPlace),
		family.Own("strike", Told[state.Strike]{Tell: (*narrator).strike, Why: whyStrike, Unknown: play.StrikeInTheDark}),
		family.Own("strike-seen", Told[play.StrikeSeen]{Tell: (*narrator).strikeSeen}, engine.InPlace),
		family.Own("fire", Told[state.Fire]{Tell: (*narrator).fire, Why: whyFire, Unknown: play.FireInTheDark}),
		family.Own("fire-seen", Told[play.FireSeen]{Tell: (*narrator).fireSeen}, engine.InPlace),
		family.Own("hurt", Told[state.Hurt]{Tell: Says(hurtWords), Why: whyHurt}),
		family.Own("volley", Told[state.Struck]{Why: whyStruck, Tell: Says(func(_ *rulebook.Rules, v *engine.View, b *state.Struck) string {
			return fmt.Sprintf("shield %d of %s takes a volley of %s: %s", b.Shield, v.Name(b.Ship), phrase.Points(b.Points), struckWords(b))
		})}),
		family.Own("damage", Told[state.Damage]{Why: whyDamage, Tell: func(n *narrator, b *state.Damage, _ string) { n.line(1, "", "%s", damageWords(b)) }}),
		family.Own("repair", Told[state.Mend]{Why: whyMend, Tell: func(n *narrator, b *state.Mend, cite string) {
			n.line(0, cite, "%s repairs shield %d from %d to %d", n.v.Name(b.Ship), b.Shield, b.Before, b.After)
		}}),
		family.Own("lapse", Told[state.Lapse]{Tell: (*narrator).lapse}),
		family.Own("standing", Told[state.StandingSet]{Alone: standingSetWords}),
		family.Own("board-seen", Told[play.BoardSeen]{Tell: Says(boardSeenWords)}, engine.InPlace),
		family.Own("fight-seen", Told[play.FightSeen]{Tell: Says(fightSeenWords)}, engine.InPlace),
		family.Also(Told[engine.Absent]{Tell: (*narrator).absent}),
		family.Also(Told[engine.Move]{Why: whyMove}),
		family.Also(Told[engine.Out]{Why: whyOut}),
	}
	if b.Overloads() {
		rows = append(rows, family.Own("blowout", Told[state.Blowout]{Tell: Says(func(_ *rulebook.Rules, v *engine.View, b *state.Blowout) string {
			return fmt.Sprintf("%s of %s blows out: its own die is %d", b.Bank, v.Name(b.Ship), b.Roll)
		})}))
	}
	if b.Hard.Hexes > 0 {
		rows = append(rows, family.Own(rulebook.VerbHard, Told[state.HardTurn]{
			Tell: Says(func(_ *rulebook.Rules, v *engine.View, b *state.HardTurn) string {
				return fmt.Sprintf("%s turns hard, %s, heading %s", v.Name(b.Ship), b.Word, b.Heading)
			}),
			Why: func(l *rulebook.Rules, _ *engine.Story, _ int, _ *state.HardTurn) []string {
				return []string{fmt.Sprintf("a high energy turn ignores her turn mode, takes the energy of %s from her pool, and a die decides whether her engines break down", phrase.Hexes(l.Hard.Hexes))}
			},
		}))
	}
	if b.Quanta != nil {
		rows = append(rows,
			family.Own("reinforce", Told[state.Reinforced]{Tell: Says(func(_ *rulebook.Rules, v *engine.View, b *state.Reinforced) string {
				return fmt.Sprintf("%s puts %s on shield %d, which is about to be hit: %d left in reserve, %d in the batteries", v.Name(b.Ship), phrase.Points(b.Points), b.Shield, b.Reserve, b.Batteries)
			})}),
			family.Own("brake", Told[state.Brake]{Tell: Says(brakeWords)}),
			family.Own("pool", Told[state.Pool]{Tell: (*narrator).pool, Alone: func(_ *rulebook.Rules, v *engine.View, b *state.Pool) string {
				return fmt.Sprintf("%s has %s movement energy left in her pool", v.Name(b.Ship), sheet.Fraction(b.Left))
			}}),
			family.Own("facing", Told[state.Facing]{Tell: Says(func(_ *rulebook.Rules, v *engine.View, b *state.Facing) string {
				return fmt.Sprintf("%s turns in place, heading %s", v.Name(b.Ship), b.Heading)
			})}),
		)
	}
	if len(b.Parts) > 0 {
		rows = append(rows, family.Own("drawn", Told[state.Drawn]{Tell: Says(play.DrawnWords)}))
	}
	return family.ListEvents(append(rows, ofParts...)...)
}

func standingSetWords(_ *rulebook.Rules, v *engine.View, b *state.StandingSet) string {
	var lines []string
	for _, o := range b.Standing.Lines() {
		lines = append(lines, o.String())
	}
	return fmt.Sprintf("%s changes her standing orders: %s", v.Name(b.Ship), cmp.Or(strings.Join(lines, "; "), "none"))
}

func (n *narrator) energy(b *state.Energy, cite string) {
	n.line(0, cite, "%s, %s", n.v.Name(b.Ship), play.EnergyWords(n.l, b))
	if len(b.Arm)+len(b.Hold)+len(b.Over) > 0 {
		n.line(1, "", "%s", strings.Join(armingWords(n.l, n.v, b), ", "))
	}
}

func (n *narrator) speed(b *state.Speed, cite string) {
	under := ""
	if b.Cloaked {
		under = ", cloaked"
	}
	if b.Down {
		under += ", her shields down"
	}
	turns := phrase.Hexes(b.Mode) + " straight before a turn"
	if b.Mode >= state.NoTurns {
		turns = "straight on, " + rulebook.Uncontrolled
	}
	n.line(0, cite, "%s goes %s: %s%s", n.v.Name(b.Ship), play.SpeedWord(&n.l.Book, b.Speed), turns, under)
}

func (n *narrator) order(b *state.Order, cite string) {
	names := make([]string, len(b.Order))
	for i, id := range b.Order {
		names[i] = n.v.Name(id)
	}
	n.line(0, cite, "Order of moving: %s%s", strings.Join(names, ", "), n.thrown())
}

func brakeWords(_ *rulebook.Rules, v *engine.View, b *state.Brake) string {
	if b.Left < 0 {
		return v.Name(b.Ship) + " stops for the rest of the turn"
	}
	return fmt.Sprintf("%s brakes: she moves in %s more", v.Name(b.Ship), phrase.Counted(b.Left, "impulse", "impulses"))
}

func (n *narrator) pool(b *state.Pool, cite string) {
	if b.Freed > 0 {
		n.line(0, cite, "%shalf of the movement energy %s has left goes to the reserve, for any task: %d", n.on(), n.v.Name(b.Ship), b.Freed)
	}
}

func (n *narrator) strike(b *state.Strike, cite string) {
	name, on := n.v.Name, n.on()
	switch {
	case b.Shield == 0:
		n.line(0, cite, "%s%s hits %s for %s", on, name(b.Ship), name(b.Target), phrase.Points(b.Points))
	case b.Roll > 0 && b.Points == 0:
		n.line(0, cite, "%s%s misses the cloaked %s: die %d, %d or less misses", on, name(b.Ship), name(b.Target), b.Roll, n.l.Cloak.Miss)
	case b.Roll > 0:
		n.line(0, cite, "%s%s hits shield %d of the cloaked %s with half, %s: die %d, more than %d", on, name(b.Ship), b.Shield, name(b.Target), phrase.Points(b.Points), b.Roll, n.l.Cloak.Miss)
	default:
		n.line(0, cite, "%s%s hits shield %d of %s for %s", on, name(b.Ship), b.Shield, name(b.Target), phrase.Points(b.Points))
	}
	n.shots = append(n.shots, engine.Shot{Phase: n.phase, From: b.Ship, To: b.Target, Hit: b.Points > 0, Label: string(b.Ship), Points: b.Points})
}

func hurtWords(_ *rulebook.Rules, v *engine.View, b *state.Hurt) string {
	if b.After == 0 {
		return v.Name(b.Ship) + " is shot down"
	}
	return fmt.Sprintf("%s takes %s, %d left", v.Name(b.Ship), phrase.Points(b.Before-b.After), b.After)
}

func (n *narrator) lapse(b *state.Lapse, cite string) {
	if b.Recharge > 0 {
		n.line(0, cite, "%s puts %d into the batteries", n.v.Name(b.Ship), b.Recharge)
	}
	if len(b.Weapons) > 0 {
		n.line(0, cite, "%s loses the unfired charge of %s", n.v.Name(b.Ship), strings.Join(b.Weapons, ", "))
	}
}
