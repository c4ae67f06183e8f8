package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"starpost/cmd/about"
	"starpost/cmd/rulesets"
	"starpost/pbem/compose"
	"starpost/templates/composer"
)

func composeCommand() *cobra.Command {
	var view, to, file string
	cmd := &cobra.Command{
		Use:   "compose [--view FILE] [--to ADDRESS] [--out FILE]",
		Short: "Make a page to compose orders by clicking on the map",
		Long: `Makes one HTML page on which a captain composes orders, by clicking on the map or as
text, checked as the host checks them. The page needs no network and stores nothing.

With --view it opens the view of a report: the JSON file that comes with each report by
mail, or the output of starpost report --json. Without --view the page asks for it. With
--to it offers a mail to that address.`,
		Example: `  starpost report wolf --as Hood --json > wolf-hood-3.json
  starpost compose --view wolf-hood-3.json --out orders.html
  starpost compose > compose.html`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			page := composer.Page{Version: about.Version(), Alone: true, To: to}
			if view != "" {
				data, err := os.ReadFile(view)
				if err != nil {
					return err
				}
				if err := opens(&page, data); err != nil {
					return err
				}
			}
			html, err := page.HTML()
			if errors.Is(err, composer.ErrNotBuilt) {
				return mistakes(nil, "build it by make, which needs the sources; or take a release", "%s", err)
			}
			if err != nil {
				return err
			}
			if file == "" {
				_, err = cmd.OutOrStdout().Write(html)
				return err
			}
			if err := os.WriteFile(file, html, 0o644); err != nil {
				return fmt.Errorf("write the page: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&view, "view", "", "the view that the page opens, a JSON `FILE`")
	cmd.Flags().StringVar(&to, "to", "", "the `ADDRESS` that orders are mailed to")
	cmd.Flags().StringVar(&file, "out", "", "write the page to `FILE` (default: print it)")
	return cmd
}

// opens puts a view into the page, with the texts it shows where scripts do not run.
func opens(page *composer.Page, view []byte) error {
	desk := compose.New(rulesets.Families())
	var open struct{ Title, Text string }
	if err := ask(desk, map[string]string{"do": "open", "view": string(view), "to": page.To}, &open); err != nil {
		return err
	}
	var check struct{ Map, MapText string }
	if err := ask(desk, map[string]string{"do": "check", "text": open.Text}, &check); err != nil {
		return err
	}
	page.View, page.Title, page.Text, page.Map, page.MapText = view, open.Title, open.Text, check.Map, check.MapText
	return nil
}

// ask puts a request to a desk as the page would.
func ask(desk *compose.Desk, request map[string]string, answer any) error {
	in, err := json.Marshal(request)
	if err != nil {
		return err
	}
	out := desk.Answer(in)
	var said struct {
		OK          bool
		Error, Hint string
	}
	if err := json.Unmarshal(out, &said); err != nil {
		return err
	}
	if !said.OK {
		return mistakes(nil, said.Hint, "the view cannot be opened: %s", said.Error)
	}
	return json.Unmarshal(out, answer)
}
