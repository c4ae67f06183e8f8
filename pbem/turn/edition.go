package turn

import (
	"starpost/engine"
	"starpost/pbem/vault"
)

// A captain whose report is not changed by a revision of a turn must not learn that
// there is one. So what captains get is counted for each of them: his report of
// revision 3 is his second one if revision 2 changed nothing for him, and the
// report of a revision that changes nothing for him is the one that he has,
// byte for byte.

// nextEditions are the numbers of the reports of a turn that is played, after
// earlier resolutions of it were taken back; nil for the first. All captains know
// of those.
func nextEditions(g *vault.Game, state *engine.Game) (map[engine.CaptainName]int, error) {
	last := 0
	for _, r := range g.Revisions() {
		if r.Turn == state.Turn {
			last = max(last, r.Revision)
		}
	}
	if last == 0 {
		return nil, nil
	}
	m, err := g.StageManifest(vault.Stage{Turn: state.Turn, Revision: last})
	if err != nil {
		return nil, err
	}
	out := map[engine.CaptainName]int{}
	for _, c := range state.Captains() {
		out[c.Name] = m.Edition(c.Name) + 1
	}
	return out, nil
}

// editions are the numbers of the reports of a turn that is changed for some
// captains, and, by seat, the texts of the reports that the others have.
func editions(g *vault.Game, t *Redone, corrected map[engine.CaptainName][]string) (numbers map[engine.CaptainName]int, kept map[engine.Seat][]byte, err error) {
	numbers, kept = map[engine.CaptainName]int{}, map[engine.Seat][]byte{}
	for _, c := range t.Is.State.Captains() {
		numbers[c.Name] = t.manifest.Edition(c.Name)
		if _, changed := corrected[c.Name]; changed {
			numbers[c.Name]++
			continue
		}
		for _, seat := range c.Seats {
			if kept[seat], err = g.StageFile(vault.Stage{Turn: t.Turn}, file(seat, Text)); err != nil {
				return nil, nil, err
			}
		}
	}
	return numbers, kept, nil
}
