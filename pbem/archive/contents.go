package archive

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"starpost/pbem/chain"
	"starpost/pbem/vault"
)

// member is a file of an archive.
type member struct {
	name string
	data []byte
}

// contents makes the members below game/, sorted by name, one after the other, and the
// corresponding Info. For a game in its public form they are the files of that game.
func contents(g *vault.Game, add func(member) error) (Info, error) {
	s := g.Settings()
	info := Info{
		Format: Format, Game: s.ID, Title: s.Title, Rules: s.Rules, Version: s.Version, Turn: g.Turn(),
		SecretSHA256: s.SecretSHA256, Seeded: s.Seed != nil,
	}
	due, err := g.Due()
	if err != nil {
		return info, err
	}
	info.Over = due == 0
	put := func(name string, data []byte) error { return add(member{gameDir + "/" + name, data}) }
	settings, err := public(s).Encode()
	if err != nil {
		return info, err
	}
	if err := put("game.toml", settings); err != nil {
		return info, err
	}
	c, err := chain.Read(g)
	if err != nil {
		return info, err
	}
	lines, err := c.Journal()
	if err != nil {
		return info, err
	}
	if len(lines) > 0 {
		if err := put(vault.JournalFile, slices.Concat(lines...)); err != nil {
			return info, err
		}
	}
	scenario, err := g.Scenario()
	if err != nil {
		return info, err
	}
	if err := put("scenario.toml", scenario); err != nil {
		return info, err
	}
	if err := put("secret", []byte(g.Secret().String()+"\n")); err != nil {
		return info, err
	}
	tables := g.Tables()
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if err := put(name, tables[name]); err != nil {
			return info, err
		}
	}
	links, err := c.Links()
	if err != nil {
		return info, err
	}
	if chain.HasAddress(scenario) {
		info.Telling = append(info.Telling, gameDir+"/scenario.toml")
	}
	for _, l := range links {
		if err := info.turn(g, l, put); err != nil {
			return info, err
		}
	}
	slices.SortStableFunc(info.Stages, compareStages)
	return info, nil
}

func compareStages(a, b Stage) int {
	whole := func(s Stage) int {
		if s.Round == 0 {
			return 1 << 20
		}
		return s.Round
	}
	return slices.Compare([]int{a.Turn, a.Revision, whole(a)}, []int{b.Turn, b.Revision, whole(b)})
}

// turn adds a resolution of a turn.
func (info *Info) turn(g *vault.Game, l *chain.Link, put func(string, []byte) error) error {
	m := l.Manifest
	st := Stage{Turn: m.Turn, Round: m.Round, Revision: max(m.Revision, 1), Resolved: m.Resolved, Seal: chain.Seal(g.Secret(), l.Sum)}
	st.Current = path.Base(g.Stages.Name(vault.Stage{Turn: m.Turn, Round: m.Round})) == l.Base
	info.Stages = append(info.Stages, st)
	names := append(slices.Collect(maps.Keys(m.Files)), vault.ManifestFile)
	slices.Sort(names)
	for _, name := range names {
		if name == vault.ManifestFile {
			if err := put("turns/"+l.Base+"/"+name, l.Text); err != nil {
				return err
			}
			continue
		}
		file := path.Join("turns", l.Base, name)
		data, err := g.Reader().ReadFile(file)
		if err != nil {
			return fmt.Errorf("%w: %w", errUnsound, err)
		}
		if vault.Hash(data) != m.Files[name] {
			return fmt.Errorf("%w: %s was altered", errUnsound, g.Place(file))
		}
		if written(name) && chain.HasAddress(data) {
			info.Telling = append(info.Telling, gameDir+"/turns/"+l.Base+"/"+name)
		}
		if err := put("turns/"+l.Base+"/"+name, data); err != nil {
			return err
		}
	}
	return nil
}

// written reports whether a file of a turn contains text by people.
func written(name string) bool {
	return strings.HasPrefix(name, vault.OrdersDir+"/") || name == vault.EventsFile || name == vault.RulingsFile || name == vault.FiledFile
}

// public returns game.toml without addresses and keys.
func public(s vault.Settings) vault.Settings {
	s = publicButReferees(s)
	s.Referees = slices.Clone(s.Referees)
	for i := range s.Referees {
		r := &s.Referees[i]
		r.Address, r.PGP = chain.Placeholder, ""
	}
	return s
}

// publicButReferees returns the public form of game.toml in archives of older programs.
func publicButReferees(s vault.Settings) vault.Settings {
	s.Mail.Robot = ""
	s.Captains = slices.Clone(s.Captains)
	for i := range s.Captains {
		c := &s.Captains[i]
		c.Address, c.Also, c.PGP = "", nil, ""
	}
	return s
}
