//go:build linux

package benchhosts_test

import (
	"encoding/hex"
	"net/url"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"

	"starpost/pbem/vault"
)

// least has pgbench run the minimal SQL for as many mails as in the phase "waiting", on the same tables and with texts of
// the first model. The hosts must have stopped, because the games are unusable afterwards.
func (w *world) least() (done work) {
	w.t.Helper()
	tool, err := exec.LookPath("pgbench")
	if err != nil {
		w.t.Fatal("pgbench is missing, which comes with the server: ", err)
	}
	at, err := url.Parse(w.at.URL)
	if err != nil {
		w.t.Fatal(err)
	}
	query := at.Query()
	schema := query.Get("search_path")
	query.Del("search_path")
	at.RawQuery = query.Encode()
	each := max(*mailsFlag / *hostsFlag, 1)
	args := []string{"-n", "-M", "prepared", "-f", "least.sql", "-c", strconv.Itoa(*hostsFlag), "-t", strconv.Itoa(each), "-D", "games=" + strconv.Itoa(w.games)}
	for name, text := range w.sample() {
		args = append(args, "-D", name+"="+hex.EncodeToString(text))
	}
	cmd := exec.CommandContext(w.t.Context(), tool, append(args, at.String())...)
	cmd.Env = append(os.Environ(), "PGOPTIONS=-c search_path="+schema)
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "aborted") {
		w.t.Fatalf("pgbench: %v\n%s", err, out)
	}
	return work{mails: each * *hostsFlag, turns: each * *hostsFlag / 3} // about
}

// sample returns the texts of a mail and of a turn, by their variable names in least.sql.
func (w *world) sample() map[string][]byte {
	m := w.fill.models[0]
	out := map[string][]byte{"raw": m.orders[0].data, "ack": m.orders[0].data[:len(m.orders[0].data)/2], "orders": m.orders[0].data[:min(1000, len(m.orders[0].data))]}
	for _, f := range m.files {
		switch {
		case path.Base(f.name) == vault.StateFile:
			out["state"] = f.mould.data
		case path.Base(f.name) == vault.ViewsFile:
			out["views"] = f.mould.data
		case strings.Contains(f.name, "/"+vault.ReportsDir+"/"):
			out["report"] = f.mould.data
		}
	}
	return out
}
