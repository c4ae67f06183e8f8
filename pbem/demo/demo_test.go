package demo_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/stcs"
	"starpost/pbem/demo"
	"starpost/pbem/vault"
)

func catalogue(t testing.TB) vault.Catalogue {
	t.Helper()
	return vault.Catalogue{"stcs-basic": func(map[string][]byte) (*engine.Rules, error) {
		lib, err := stcs.Builtin()
		if err != nil {
			return nil, err
		}
		return stcs.Basic(lib)
	}}
}

func wolf(t testing.TB) []byte {
	t.Helper()
	all, err := stcs.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	return all["big-bad-wolf"]
}

func TestWholeBattle(t *testing.T) {
	var out bytes.Buffer
	r, err := demo.Run(t.Context(), demo.Options{
		Seed: 1, Dir: filepath.Join(t.TempDir(), "demo"), Out: &out, Catalogue: catalogue(t), Scenario: wolf(t), Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	t.Logf("%+v\n%s", r, out.String())
}
