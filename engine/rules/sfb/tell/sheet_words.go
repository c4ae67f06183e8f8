package tell

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
)

func modeWords(l *rulebook.Rules, s *sheet.Sheet) string {
	parts := make([]string, len(s.TurnMode))
	for i, t := range s.TurnMode {
		parts[i] = fmt.Sprintf("%d to speed %s", t.Moves, play.SpeedWord(&l.Book, t.Speed))
	}
	return strings.Join(parts, ", ")
}

// life says how many more points a ship can take. Where blocks of damage skip what a ship has lost, only the boxes of
// excess damage decide, and other boxes may be left.
func life(l *rulebook.Rules, s *sheet.Sheet) string {
	if l.Block == nil {
		return s.Life()
	}
	var in sheet.Boxes
	for i := range s.Banks {
		if b := &s.Banks[i]; b.Kind != sheet.Security && b.Kind != sheet.Excess {
			in.All, in.Left = in.All+b.All, in.Left+b.Left
		}
	}
	ex := s.In(sheet.ExcessBoxes)
	return fmt.Sprintf("%d of %d boxes inside and %d of %d of excess damage are left: the point after the last of those destroys her", in.Left, in.All, ex.Left, ex.All)
}

// SheetOf returns the sheet of another ship, as far as it is known: her boxes and weapons.
func SheetOf(l *rulebook.Rules, s *sheet.Sheet) engine.Panel {
	p := engine.Panel{Notes: []string{life(l, s)}, Boxes: boxRows(l, s)}
	if text := sheet.WeaponWords(s); l.Block != nil && text != "" {
		p.Notes = append(p.Notes, text)
	}
	return p
}

// boxRows returns a sheet as rows of boxes. Blocks of damage can hit every box except security, and tracks show their
// numbers.
func boxRows(l *rulebook.Rules, s *sheet.Sheet) []engine.BoxRow {
	if l.Block == nil {
		return s.Rows()
	}
	rows := s.RowsBy(func(k sheet.Kind) sheet.Category {
		switch c := k.Category(); {
		case k == sheet.StarDrive:
			return sheet.EngineBoxes
		case c == sheet.NoCategory && k != sheet.Security:
			return sheet.OtherBoxes
		default:
			return c
		}
	})
	for i := range rows {
		if at := s.Bank(rows[i].Name); at >= 0 && len(s.Banks[at].Track) > 0 {
			n, _ := s.Rating(s.Banks[at].Kind)
			rows[i].Note = "stands at " + strconv.Itoa(n)
		}
	}
	return rows
}

// sheetWords returns a sheet as a paragraph.
func sheetWords(l *rulebook.Rules, s *sheet.Sheet) string {
	parts := []string{"shields " + strings.Join(sheet.ShieldNumbers(s), " ")}
	for _, b := range s.Banks {
		if b.Kind.Category() == sheet.NoCategory && l.Block == nil {
			continue
		}
		parts = append(parts, b.Name+" "+b.Boxes.String())
	}
	return strings.Join(parts, ", ")
}
