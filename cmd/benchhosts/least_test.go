//go:build linux

package benchhosts_test

import (
	"encoding/hex"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// least has pgbench run the minimal SQL for as many mails as in the phase "waiting", on the same tables and with these texts. Unless it reads,
// it only writes. The hosts must have stopped, because the games are unusable afterwards.
func (w *world) least(texts map[string][]byte, reads bool) (done work) {
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
	args := []string{"-n", "-M", "prepared", "-f", "least.sql", "-c", strconv.Itoa(*hostsFlag), "-t", strconv.Itoa(each), "-D", "games=" + strconv.Itoa(w.games), "-D", "reads=" + strconv.FormatBool(reads)}
	for name, text := range texts {
		args = append(args, "-D", name+"="+hex.EncodeToString(text))
	}
	cmd := exec.CommandContext(w.t.Context(), tool, append(args, at.String())...)
	cmd.Env = append(os.Environ(), "PGOPTIONS=-c enable_seqscan=off -c jit=off -c search_path="+schema) // as hosts set them
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "aborted") {
		w.t.Fatalf("pgbench: %v\n%s", err, out)
	}
	return work{mails: each * *hostsFlag, turns: each * *hostsFlag / 3} // about
}

// sample returns the texts of an order mail of the first model, by their variable names in least.sql, and fills the table "sample" with the
// latest turn of the first model that has played one. Data is not compressed there, so that each copy must be, as if it came
// from a host.
func (w *world) sample() map[string][]byte {
	w.t.Helper()
	w.execute("CREATE TABLE sample (name text NOT NULL, data bytea NOT NULL)")
	w.execute("ALTER TABLE sample ALTER COLUMN data SET STORAGE EXTERNAL")
	m, turn := w.fill.models[0], "turns/0000/"
	for _, later := range w.fill.models {
		if later.due > 1 {
			m, turn = later, "turns/0001/"
			break
		}
	}
	insert := func(name string, data []byte) {
		if _, err := w.db.Exec(w.t.Context(), "INSERT INTO sample VALUES ($1, $2)", name, data); err != nil {
			w.t.Fatal(err)
		}
	}
	insert("", m.report)
	for _, f := range m.files {
		if name, ok := strings.CutPrefix(f.name, turn); ok {
			insert(name, f.mould.data)
		}
	}
	order := m.orders[0].data
	return map[string][]byte{"raw": order, "ack": order[:len(order)/2], "orders": order[:min(1000, len(order))]}
}
