package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"starpost/engine/family"
	"starpost/orders"
	drawing "starpost/pbem/report"
)

func allocateCommand() *cobra.Command {
	var o allocateOptions
	cmd := &cobra.Command{
		Use:   "allocate SHEET SHIELD:POINTS...",
		Short: "Allocate damage to a ship's sheet of boxes, for play at a table",
		Long: `Applies one volley after another to a ship's sheet. It shows what the shield stops and,
for each point inside, the die, the chart columns passed and the box lost. SHEET is a
ship class or a TOML file with your own sheet, which may already have lost boxes; --out
writes one. The dice are rolled from a seed, which is printed, or given as they fell at
the table. No game is read or changed.`,
		Example: `  starpost allocate cadet-klingon 2:2 1:8
  starpost allocate cadet-klingon 1:20 --dice 2,6,5,3 --lose "weapons ph-4 drone"
  starpost allocate cadet-federation 1:30 --seed 7 --out constellation.toml
  starpost allocate constellation.toml 4:12 --out constellation.toml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usage("usage: "+cmd.UseLine(), "allocate needs a sheet and at least one volley, such as cadet-klingon 1:21")
			}
			return nil
		},
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1:]) },
		ValidArgsFunction: once(sheetNames),
	}
	cmd.Flags().StringVar(&o.dice, "dice", "", "the `FACES` of the dice for the points inside, in order, such as 2,6,5")
	cmd.Flags().StringVar(&o.seed, "seed", "", "the seed `N` for the dice, to repeat a roll")
	cmd.Flags().StringArrayVar(&o.lose, "lose", nil, "what the owner loses first, in `WORDS` such as \"hull fore aft\" (repeatable)")
	cmd.Flags().StringVar(&o.out, "out", "", "write the resulting sheet to this `FILE`")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("dice", "seed")
	completeFlag(cmd, "out", tomlFile)
	return cmd
}

// sheetNames lists the ship classes of the families that allocate damage.
func sheetNames() (names []string) {
	for _, f := range families() {
		if f.Allocate == nil || f.Designs == nil {
			continue
		}
		if list, err := f.Designs(nil); err == nil {
			for _, d := range list.All {
				names = append(names, d.Name)
			}
		}
	}
	return names
}

// allocators returns the allocators of all families.
func allocators() (all []family.Allocator) {
	for _, f := range families() {
		if f.Allocate != nil {
			all = append(all, f.Allocate)
		}
	}
	return all
}

type allocateOptions struct {
	dice, seed, out string
	lose            []string
	asJSON          bool
}

func (o *allocateOptions) run(cmd *cobra.Command, sheet string, volleys []string) error {
	task := family.AllocateTask{Class: sheet, Line: 1}
	if strings.EqualFold(filepath.Ext(sheet), ".toml") || strings.ContainsRune(sheet, filepath.Separator) {
		data, err := readFile("a ship's sheet", sheet, maxScenario)
		if err != nil {
			return err
		}
		task.File, task.Sheet = tableName(sheet), data
	}
	// Each argument is one line of the task, so that the line number of a mistake identifies the argument.
	lines, names := slices.Clone(volleys), slices.Clone(volleys)
	add := func(flag, verb, value string) {
		if value != "" {
			lines, names = append(lines, verb+" "+value), append(names, flag)
		}
	}
	add("--dice", "dice", o.dice)
	add("--seed", "seed", o.seed)
	for _, words := range o.lose {
		add("--lose", "lose", words)
	}
	for i, l := range lines {
		if strings.ContainsAny(l, "\n\r;") || i < len(volleys) && !strings.Contains(l, ":") {
			hint := "such as 1:21 for 21 points on shield 1"
			if o.dice != "" && strings.Trim(l, "123456,") == "" {
				hint = fmt.Sprintf("all dice are one word: --dice %s,%s", o.dice, l)
			}
			return usage(hint, "%s: %+.40q is not understood", names[i], l)
		}
	}
	task.Text = strings.Join(lines, "\n")
	if o.seed == "" && o.dice == "" {
		n, err := rand.Int(rand.Reader, big.NewInt(1_000_000_000))
		if err != nil {
			return fmt.Errorf("find a seed for the dice: %w", err)
		}
		task.Seed = n.Uint64()
	}
	done, diags, err := family.Allocate(allocators(), task)
	switch {
	case err != nil:
		return sheetMistakes(sheet, err)
	case len(diags) > 0:
		return allocateMistakes(names, diags)
	case done == nil:
		return usage(nearest(sheet, sheetNames(), "one of: "), "no ship class with a sheet of boxes is called %q", sheet)
	}
	if o.out != "" {
		if err := os.WriteFile(o.out, done.Sheet, 0o644); err != nil {
			return fmt.Errorf("write the sheet: %w", err)
		}
	}
	return show(cmd, o.asJSON, done.Data, func(w io.Writer) { fmt.Fprint(w, drawing.PanelsText(done.Panels)) })
}

// sheetMistakes turns mistakes in a sheet into lines with their place in the file.
func sheetMistakes(file string, err error) error {
	if lines := tableMistakes(err, []string{file}); len(lines) > 0 {
		return mistakes(lines, "a sheet that can: starpost allocate CLASS 1:1 --out FILE writes one", "the sheet cannot be used; nothing was allocated")
	}
	return err
}

// allocateMistakes prefixes each mistake with its argument.
func allocateMistakes(names []string, diags []orders.Diagnostic) error {
	lines := make([]string, len(diags))
	for i, d := range diags {
		lines[i] = fmt.Sprintf("%s: %s %s", names[min(max(d.Pos.Line, 1), len(names))-1], d.Code, d.Message)
		if d.Hint != "" {
			lines[i] += " (" + d.Hint + ")"
		}
	}
	return mistakes(lines, "", "nothing was allocated")
}
