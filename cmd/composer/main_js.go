//go:build js && wasm

// Command composer is the part of starpost that runs in the browser of a captain composing orders: it answers the
// requests of package compose. The page calls starpostCompose, which takes a request as JSON and returns the response.
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
	select {} // keep the function available as long as the page is open
}
