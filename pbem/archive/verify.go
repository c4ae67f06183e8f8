package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// VerifyOptions is the input of Verify.
type VerifyOptions struct {
	Catalogue vault.Catalogue
	Progress  func(turn int) // called for each turn before it is replayed; may be nil
	// Heads are hashes from reports, of the record or of the secret, complete or at least their
	// first minHead digits; the archive must have each.
	Heads []string
}

// minHead is the number of digits of a hash that suffice.
const minHead = 32

// IsHash reports whether h can be a hash from a report, or the beginning of one, possibly with
// spaces.
func IsHash(h string) bool {
	h = trim(h)
	return len(h) >= minHead && len(h) <= 64 && strings.Trim(h, "0123456789abcdef") == ""
}

func trim(h string) string { return strings.ToLower(strings.Join(strings.Fields(h), "")) }

// Verify unpacks an archive into a temporary directory, replays the game and compares. The error is
// for a file that is not an archive, cannot be read or needs another program; what is wrong with an
// archive is in the verdict.
func Verify(ctx context.Context, path string, c VerifyOptions) (v *Verdict, err error) {
	r, err := open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	dir, err := os.MkdirTemp("", "starpost-archive-")
	if err != nil {
		return nil, system("make a temporary directory", os.TempDir(), err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	info, err := r.info()
	if err != nil {
		return nil, err
	}
	sums, err := r.unpack(ctx, dir)
	if err != nil {
		return nil, err
	}
	v = &Verdict{Info: info, File: path, Findings: []proof.Finding{}}
	list, err := r.read(sumsFile)
	if err != nil {
		return nil, err
	}
	v.sums(list, sums)
	if err := os.MkdirAll(filepath.Join(dir, gameDir, "orders"), 0o700); err != nil {
		return nil, system("unpack", dir, err)
	}
	if err := v.game(filepath.Join(dir, gameDir), sums, c); err != nil {
		return nil, err
	}
	if len(v.Findings) == 0 {
		differs, err := r.container(v.order)
		if err != nil {
			return nil, err
		}
		if differs >= 0 {
			v.say("ZIP", 0, "the file itself differs from a written archive from byte %d on: its headers were altered, or it was repacked; its contents are unchanged", differs)
		}
	}
	v.Sound = len(v.Findings) == 0
	return v, nil
}

// info reads the archive's description of itself.
func (r *reader) info() (Info, error) {
	data, err := r.read(infoFile)
	if err != nil {
		return Info{}, err
	}
	if data == nil {
		return Info{}, bad(r.path, "this is a ZIP file, but not a game archive (it has no %s)", infoFile)
	}
	var format struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &format); err != nil {
		return Info{}, bad(r.path, "%s was altered: %v", infoFile, err)
	}
	if format.Format != Format {
		return Info{}, &Error{
			Path: r.path, Problem: fmt.Sprintf("format %d of archives is not known", format.Format), Err: errRules,
			Way: fmt.Sprintf("verify it with the program that wrote it, or a newer one; this program reads format %d", Format),
		}
	}
	var info Info
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&info); err != nil {
		return Info{}, bad(r.path, "%s was altered: %v", infoFile, err)
	}
	return info, nil
}

// sums compares the members with the list of hashes.
func (v *Verdict) sums(list []byte, sums map[string]string) {
	v.Sum, v.Files = vault.Hash(list), len(sums)
	if list == nil {
		v.say(sumsFile, 0, "the file is missing")
	}
	listed := map[string]bool{sumsFile: true}
	n := 0
	for line := range strings.Lines(string(list)) {
		n++
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		switch has, there := sums[name]; {
		case !ok || listed[name] || !strings.HasSuffix(line, "\n"):
			v.say(sumsFile, n, "the line was altered")
		case !there:
			v.say(name, 0, "the file is missing")
		case has != sum:
			v.say(name, 0, "the file does not match its hash in %s: it was altered", sumsFile)
		}
		listed[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if !listed[name] && list != nil {
			v.say(name, 0, "the file is not in %s: it was added later, or its line was altered", sumsFile)
		}
	}
}

// game checks the game.
func (v *Verdict) game(dir string, sums map[string]string, c VerifyOptions) (err error) {
	defer func() {
		if p := recover(); p != nil {
			v.say(gameDir, 0, "it cannot be replayed: %v", p)
			v.Panic = string(debug.Stack())
			err = nil
		}
	}()
	if err := v.rules(dir, c.Catalogue); err != nil {
		return err
	}
	g, err := vault.Open(directory.At(dir), c.Catalogue)
	if err != nil {
		v.trouble(dir, err)
		return nil
	}
	found, err := proof.Verify(g, c.Progress)
	for _, f := range found {
		f.File = gameDir + "/" + f.File
		v.Findings = append(v.Findings, f)
	}
	if err != nil {
		v.trouble(dir, err)
		return nil
	}
	if err := v.same(g, sums); err != nil {
		v.trouble(dir, err)
		return nil
	}
	if err := v.tell(g); err != nil {
		v.trouble(dir, err)
	}
	v.heads(c.Heads)
	return nil
}

// trouble adds a finding about a game that cannot be read.
func (v *Verdict) trouble(dir string, err error) {
	problem, file := err.Error(), gameDir
	if told, ok := errors.AsType[*vault.Error](err); ok {
		problem = told.Problem
		if rel, rerr := filepath.Rel(dir, told.Path); rerr == nil && !strings.HasPrefix(rel, "..") {
			file = strings.TrimSuffix(gameDir+"/"+filepath.ToSlash(rel), "/.")
		}
	}
	v.say(file, 0, "%s", strings.ReplaceAll(problem, dir+string(filepath.Separator), gameDir+"/"))
}

// rules refuses an archive that needs another program.
func (v *Verdict) rules(dir string, c vault.Catalogue) error {
	data, err := os.ReadFile(filepath.Join(dir, "game.toml"))
	if err != nil {
		return nil //nolint:nilerr // told when the game is opened
	}
	s, err := vault.ParseSettings(data, "game.toml")
	if err != nil {
		return nil //nolint:nilerr // likewise
	}
	if _, known := c[s.Rules]; !known {
		way := "known rule sets: " + strings.Join(slices.Sorted(maps.Keys(c)), ", ")
		if near := orders.Suggest(s.Rules, slices.Sorted(maps.Keys(c))); near != "" {
			way += fmt.Sprintf("; was %q altered?", near)
		}
		return &Error{
			Path: v.File, Problem: fmt.Sprintf("the game was played by rule set %q, which this program does not have", s.Rules), Err: errRules,
			Way: "verify it with a program that has it; " + way,
		}
	}
	r, err := c.Rules(s.Rules, nil)
	if err != nil {
		return fmt.Errorf("rule set %s: %w", s.Rules, err)
	}
	if r.Version != s.Version && !vault.Older(s.Version, r.Version) {
		return &Error{
			Path: v.File, Problem: fmt.Sprintf("the game used version %s of rule set %s, and this program has version %s", s.Version, s.Rules, r.Version), Err: errRules,
			Way: fmt.Sprintf("verify it with a starpost that has version %s; starpost rules %s shows which one does", s.Version, s.Rules),
		}
	}
	return nil
}

// same makes the contents of the archive again from the game in it: the archive must have exactly
// these bytes, and nothing more.
func (v *Verdict) same(g *vault.Game, sums map[string]string) error {
	wanted := map[string]bool{infoFile: true, sumsFile: true, readmeFile: true}
	info, err := contents(g, func(m member) error {
		wanted[m.name] = true
		v.order = append(v.order, m.name)
		switch sum, there := sums[m.name]; {
		case !there:
			v.say(m.name, 0, "the file is missing")
		case m.name == gameDir+"/game.toml" && sum != vault.Hash(m.data) && v.older(g, sum):
		case sum != vault.Hash(m.data) && !v.found(m.name):
			v.say(m.name, 0, "the file does not follow from the rest of the game: it was altered")
		}
		v.canonical(g, m)
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if !wanted[name] && !strings.HasPrefix(name, mailsDir+"/") {
			v.say(name, 0, "the file does not belong to the game: it was added later")
		}
	}
	setUp, err := g.Stages.Manifest(vault.Stage{Turn: 0, Revision: 1})
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(g.Tables())) {
		if setUp.Base[name] == "" {
			v.say(gameDir+"/"+name, 0, "the game was not created with this table: it was added later")
		}
	}
	info.Mails, info.LeftOut = v.Mails, v.LeftOut
	_, info.Messages = sums[pressFile]
	data, err := info.encode()
	if err != nil {
		return err
	}
	if sums[infoFile] != vault.Hash(data) && !v.found(infoFile) {
		v.say(infoFile, 0, "the file does not follow from the rest of the game: it was altered")
	}
	v.Info = info
	return nil
}

// older reports whether game.toml has the form in archives of older programs.
func (v *Verdict) older(g *vault.Game, sum string) bool {
	text, err := publicButReferees(g.Settings()).Encode()
	return err == nil && sum == vault.Hash(text)
}

// canonical checks an order set: a turn stores only one form, so that it cannot hide text that is
// not played.
func (v *Verdict) canonical(g *vault.Game, m member) {
	parts := strings.Split(m.name, "/") // game, turns, 0003, orders, Hood.txt
	if len(parts) < 5 || parts[1] != "turns" || parts[3] != vault.OrdersDir || v.found(m.name) {
		return
	}
	say := func(what string) { v.say(m.name, 0, "%s: they were altered", what) }
	blocks, diags := orders.Parse(m.data, g.Rules().Language)
	if orders.HasErrors(diags) || len(blocks) != 1 || orders.Format(blocks[0]) != string(m.data) {
		say("the orders are not in a turn's standard form")
		return
	}
	h, file := blocks[0].Head, strings.TrimSuffix(parts[len(parts)-1], ".txt")
	name := h.Name
	if h.Kind == "captain" {
		name = "@" + name
	}
	turn, _, _ := strings.Cut(parts[2], ".")
	if h.Game != g.ID() || fmt.Sprintf("%04d", h.Turn) != turn || h.Key != "" || name != file {
		say("the orders belong to another game, turn or ship")
	}
}

// heads looks for hashes from reports.
func (v *Verdict) heads(heads []string) {
	for _, h := range heads {
		h = trim(h)
		found := SealMatch{Hash: h}
		if IsHash(h) {
			for _, s := range v.Stages {
				if strings.HasPrefix(s.Seal, h) {
					found.Of = "the record up to " + s.String()
					if !s.Current {
						found.Of += ", which was changed later"
					}
				}
			}
			if strings.HasPrefix(v.SecretSHA256, h) {
				found.Of = "the secret"
			}
			for known, what := range v.told {
				if strings.HasPrefix(known, h) {
					found.Of = what
				}
			}
		}
		v.Heads = append(v.Heads, found)
		switch {
		case found.Of != "":
		case !IsHash(h):
			v.say(gameDir, 0, "%q is not a hash: give at least its first %d digits", h, minHead)
		default:
			v.say(gameDir, 0, "no turn has the hash %s: the game in the mail took a different course", h)
		}
	}
}
