package vault

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
	"starpost/pbem/vault/journal"
)

// conf holds the settings of a game: game.toml, and the result of applying the journal to it.
type conf struct {
	file     *Settings         // game.toml; replaced, never changed
	sum      [sha256.Size]byte // of its text; zero if none was read
	schedule clock.Schedule    // of file

	effective  *Settings   // with the journal applied; replaced, never changed
	admin      *AdminState // nil if the journal is empty
	disregard  string      // see Game.Disregard
	onSettings func()      // see Game.OnSettings; may be nil

	window     clock.Span // see Game.UseWindow; zero for none
	saysWindow bool       // game.toml sets a change window
}

// read reads the text of game.toml from path; changed reports whether anything differs.
func (k *conf) read(data []byte, path string) (changed bool, err error) {
	sum := sha256.Sum256(data)
	if sum == k.sum {
		return false, nil
	}
	s, saysWindow, err := parseSettings(data, path)
	if err != nil {
		return false, err
	}
	packStrings(reflect.ValueOf(&s).Elem())
	if k.schedule, err = s.Schedule(); err != nil {
		return false, fmt.Errorf("read %s: %w", path, err)
	}
	k.file, k.saysWindow, k.sum = &s, saysWindow, sum
	return true, nil
}

// administration returns the state by the journal, which is empty for most games on a large host.
func (k *conf) administration() AdminState {
	if k.admin == nil {
		return AdminState{}
	}
	return *k.admin
}

// overlay makes the effective settings and the admin state from game.toml and the journal.
func (k *conf) overlay(entries []journal.Entry) {
	s := *k.file
	s.Captains = slices.Clone(s.Captains)
	st := AdminState{Vacant: map[engine.CaptainName]time.Time{}}
	if len(entries) > 0 { // most games have no entries, and need less memory this way
		st = AdminState{
			Deadline: map[Stage]time.Time{}, Grace: map[Stage]time.Time{}, Ready: map[int]time.Time{}, Closed: map[Stage]Closed{}, OwnDice: map[Stage]bool{}, Vacant: st.Vacant, Offered: map[engine.CaptainName]bool{},
			Votes: map[int]map[engine.CaptainName]string{}, Changes: map[engine.CaptainName]int{}, Proofs: map[int][]Proven{}, Told: map[string]Told{},
			Become: map[engine.CaptainName]string{}, Keys: map[string]int{},
		}
	}
	for _, c := range s.Captains {
		if c.Robot && c.Address == "" {
			st.Vacant[c.Name] = time.Time{}
		}
	}
	for _, e := range entries {
		if mail, _, _ := strings.Cut(e.Cause, "#"); k.disregard != "" && mail == k.disregard {
			continue
		}
		st.add(e, &s)
	}
	for _, a := range st.Away {
		if i := slices.IndexFunc(s.Captains, func(c Captain) bool { return a.Confirmed && c.Name == a.Captain }); i >= 0 {
			s.Captains[i].StandIns = append(slices.Clone(s.Captains[i].StandIns), StandIn{a.StandIn, a.From, a.To})
		}
	}
	for i := range s.Captains {
		if st.HasVacant(s.Captains[i].Name) {
			s.Captains[i].handTo("")
			s.Captains[i].Offered = st.Offered[s.Captains[i].Name]
		}
	}
	if k.admin = nil; len(entries)+len(st.Vacant) > 0 {
		k.admin = &st
	}
	if k.effective != nil {
		if s.Mail.ChangeWindow = k.changeWindow(); reflect.DeepEqual(&s, k.effective) {
			return
		}
	}
	if k.effective = &s; reflect.DeepEqual(&s, k.file) {
		k.effective = k.file // they are equal in most games
	}
	if k.onSettings != nil {
		k.onSettings()
	}
}

// shared returns the effective settings: the same pointer while nothing has changed.
func (k *conf) shared() *Settings {
	if w := k.changeWindow(); k.effective.Mail.ChangeWindow != w {
		s := *k.effective
		s.Mail.ChangeWindow = w
		k.effective = &s
	}
	return k.effective
}

// changeWindow returns the effective change window.
func (k *conf) changeWindow() clock.Span {
	if k.window > 0 && !k.saysWindow {
		return k.window
	}
	return k.file.Mail.ChangeWindow
}

// packStrings moves all strings of settings into one text that holds nothing else. Otherwise they
// would keep the whole text of each game.toml in memory.
func packStrings(v reflect.Value) {
	var all []reflect.Value
	var find func(v reflect.Value)
	find = func(v reflect.Value) {
		switch v.Kind() { //nolint:exhaustive // of the others none holds strings
		case reflect.String:
			all = append(all, v)
		case reflect.Struct:
			for _, f := range v.Fields() {
				find(f)
			}
		case reflect.Slice:
			for i := range v.Len() {
				find(v.Index(i))
			}
		}
	}
	find(v)
	var text strings.Builder
	for _, s := range all {
		text.WriteString(s.String())
	}
	packed := strings.Clone(text.String())
	for _, s := range all {
		n := s.Len()
		s.SetString(packed[:n])
		packed = packed[n:]
	}
}
