//go:build js && wasm

// Command composer is the part of starpost that a browser runs for a captain who writes his orders by clicking: it answers
// the requests of package compose. The page calls starpostCompose, which takes a request as JSON and gives the response.
package main

import (
	"syscall/js"

	"starpost/cmd/rulesets"
	"starpost/pbem/compose"
)

func main() {
	desk := compose.New(rulesets.Families())
	js.Global().Set("starpostCompose", js.FuncOf(func(_ js.Value, args []js.Value) any {
		request := ""
		if len(args) > 0 && args[0].Type() == js.TypeString {
			request = args[0].String()
		}
		return string(desk.Answer([]byte(request)))
	}))
	select {} // the function is there as long as the page is
}
