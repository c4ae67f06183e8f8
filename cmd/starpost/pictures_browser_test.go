package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "the folder with pages that are to be pictured; make pictures")

// TestRealBrowserPictures saves screenshots of the pages made by .ci/pictures, after they have settled.
func TestRealBrowserPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("for make pictures")
	}
	v := offline(t)
	v.do(chromedp.EmulateViewport(1100, 760))
	shot := func(name string) {
		t.Helper()
		png, err := chromedp.Run(v.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*pictures, name), png, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v.do(chromedp.Navigate("file://" + filepath.Join(*pictures, "replay.html") + "#t2.p2"))
	v.sees("the phase", `document.body.innerText.includes("Turn 2, phase 2")`)
	shot("replay.png")
	v.open("file://" + filepath.Join(*pictures, "compose.html"))
	v.settled()
	shot("composer.png")
}
