//go:build !js

package composer

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"strings"
	"sync"

	"starpost/templates"
)

// Page is the page on which captains compose orders, as one HTML file. Empty fields are left out.
type Page struct {
	Version string // of the program
	// Alone embeds the program in the page, which then works from a disk without a network.
	// Otherwise the page fetches WasmFile from its own folder.
	Alone bool
	// View is the JSON of the view that the page opens, and To the address that orders are mailed to.
	// Without a view the page takes both from its URL, or a view from a file.
	View []byte
	To   string
	// What the page shows of the view without scripts: the title of the game, orders to begin
	// with, and the map as SVG and as text.
	Title, Text, Map, MapText string
}

// WasmFile is the name of the program beside a page that does not embed it: WebAssembly, compressed by gzip.
const WasmFile = "composer.wasm.gz"

// ErrNotBuilt is returned if starpost was built without the program that the page runs.
var ErrNotBuilt = errors.New("this starpost was built without the composer")

// built holds the output of "make composer": WasmFile, and the glue between a browser and Go.
//
//go:embed dist
var built embed.FS

// Address returns the URL of the page for a version of the program. It is "" without a site, and if
// starpost was built without the composer.
func Address(site, version string) string {
	if _, err := fs.Stat(built, "dist/"+WasmFile); site == "" || err != nil {
		return ""
	}
	return strings.TrimSuffix(site, "/") + "/" + Folder(version)
}

// Wasm returns the program that the page runs, compressed by gzip, or ErrNotBuilt.
func Wasm() ([]byte, error) {
	data, err := built.ReadFile("dist/" + WasmFile)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNotBuilt
	}
	return data, err
}

// Edition returns a value that changes with the pages and with the program that they run, or ErrNotBuilt.
func Edition() (string, error) {
	f, err := built.Open("dist/" + WasmFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", ErrNotBuilt
	}
	if err != nil {
		return "", fmt.Errorf("read the composer's program: %w", err)
	}
	var end [8]byte // gzip ends with the CRC-32 and the size of what it holds
	info, err := f.Stat()
	if err == nil {
		_, err = f.(io.ReaderAt).ReadAt(end[:], info.Size()-int64(len(end)))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("read the composer's program: %w", err)
	}
	glue, err := parts{}.withGlue()
	if err != nil {
		return "", err
	}
	pages, err := templates.Edition(files)
	return fmt.Sprintf("%s %x %d %s", pages, end, info.Size(), source(glue)), err
}

//go:embed page/*.html page/*.css page/*.js
var files embed.FS

// scripts are the parts of the page's script, in order; they share one top-level scope.
var scripts = []string{"rules.js", "opening.js", "editor.js", "board.js", "choices.js", "rehearsal.js", "compose.js"}

// parts holds what is the same in the pages of all views.
type parts struct {
	*template.Template
	style, engine, script, design string
}

var pageParts = sync.OnceValues(readPage)

func readPage() (p parts, err error) {
	text := func(names ...string) (all string) {
		for _, name := range names {
			data, rerr := files.ReadFile("page/" + name)
			if rerr != nil {
				err = rerr
			}
			all += string(data)
		}
		return all
	}
	night := "@media (prefers-color-scheme:dark){" + templates.NightCSS() + "}"
	p = parts{style: text("compose.css") + night, engine: text("engine.js"), script: text(scripts...), design: text("rules.js", "design.js")}
	if err == nil {
		p.Template, err = template.ParseFS(files, "page/*.html")
	}
	if err != nil {
		return p, fmt.Errorf("read the composer's page: %w", err)
	}
	return p, nil
}

// HTML draws the page. It returns ErrNotBuilt if there is no program to run. The page makes no requests,
// except for the program beside it.
func (p Page) HTML() ([]byte, error) {
	page, err := pageParts()
	if err != nil {
		return nil, err
	}
	engine, err := page.withGlue()
	if err != nil {
		return nil, err
	}
	policy := policy(page.style, engine, page.script)
	var packed []byte
	if p.Alone {
		packed, err = Wasm()
	} else {
		policy += "; connect-src 'self'"
	}
	if err != nil {
		return nil, err
	}
	var held any
	if p.View != nil {
		held = map[string]string{"view": string(p.View), "to": p.To}
	}
	var b bytes.Buffer
	err = page.ExecuteTemplate(&b, "compose.html", struct {
		Page
		Policy         string
		Style          template.CSS
		Engine, Script template.JS
		Wasm, Map      template.HTML
		Held           any
		Rows           int
	}{
		Page: p, Policy: policy, Style: template.CSS(page.style), Engine: template.JS(engine), Script: template.JS(page.script),
		Wasm: template.HTML(base64.StdEncoding.EncodeToString(packed)), Map: template.HTML(p.Map), Held: held,
		Rows: strings.Count(p.Text, "\n") + 1,
	})
	if err != nil {
		return nil, fmt.Errorf("draw the composer's page: %w", err)
	}
	return b.Bytes(), nil
}

// DesignFile is the name of the page for designing scenarios, beside the page for composing orders. It runs the same
// program.
const DesignFile = "design.html"

// Design draws the page for designing scenarios and ship classes, or returns ErrNotBuilt if there is no program.
func Design(version string) ([]byte, error) {
	page, err := pageParts()
	if err != nil {
		return nil, err
	}
	engine, err := page.withGlue()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = page.ExecuteTemplate(&b, "design.html", struct {
		Policy, Version string
		Style           template.CSS
		Engine, Script  template.JS
	}{policy(page.style, engine, page.design) + "; connect-src 'self'", version, template.CSS(page.style), template.JS(engine), template.JS(page.design)})
	if err != nil {
		return nil, fmt.Errorf("draw the scenario designer's page: %w", err)
	}
	return b.Bytes(), nil
}

// withGlue returns the script that starts the program, after the glue that Go needs, or ErrNotBuilt.
func (p parts) withGlue() (string, error) {
	glue, err := built.ReadFile("dist/wasm_exec.js")
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNotBuilt
	}
	return string(glue) + p.engine, err
}

// policy returns the Content-Security-Policy that lets a page run its own scripts only, and send nothing out.
func policy(style, engine, script string) string {
	return "default-src 'none'; style-src " + source(style) + "; script-src " + source(engine) + " " + source(script) +
		" 'wasm-unsafe-eval'; worker-src blob:; base-uri 'none'; form-action 'none'"
}

// forwarding keeps the part of the URL after the #, which a server never sees.
const forwarding = `location.replace(document.getElementById("to").href + location.hash)`

// Forward draws the page that a site has in the folder of another version: it redirects to the one in folder to.
func Forward(to string) ([]byte, error) {
	page, err := pageParts()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = page.ExecuteTemplate(&b, "forward.html", struct {
		Policy, To string
		Script     template.JS
	}{"default-src 'none'; script-src " + source(forwarding) + "; base-uri 'none'; form-action 'none'", "../" + strings.TrimPrefix(to, root), forwarding})
	if err != nil {
		return nil, fmt.Errorf("draw the page that forwards to the composer: %w", err)
	}
	return b.Bytes(), nil
}

// source returns the hash by which a Content-Security-Policy admits an inline style or script.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
