package crash_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"

	"starpost/pbem/testkit/postgrestest"
)

// line is a proxy between a host and a server: what passes can be cut, delayed, slowed or held up.
type line struct{ *toxiproxy.Proxy }

// proxies is what the library wants of its own server, which does not run.
var proxies = sync.OnceValue(func() *toxiproxy.ApiServer {
	s := &toxiproxy.ApiServer{Collection: toxiproxy.NewProxyCollection(), Metrics: toxiproxy.NewMetricsContainer(nil)}
	s.Logger = zero(s.Logger) // logs nothing; its type is of a module that is no concern of ours
	return s
})

func zero[T any](*T) *T { return new(T) }

func newLine(t *testing.T, to string) *line {
	t.Helper()
	at := "127.0.0.1:" + strconv.Itoa(postgrestest.Port(t))
	l := &line{toxiproxy.NewProxy(proxies(), at, at, to)}
	l.again(t)
	t.Cleanup(l.Stop)
	return l
}

// again lets connections through, after Stop. A child of this process may have the port until it is a program of its own.
func (l *line) again(t *testing.T) {
	t.Helper()
	err := l.Start()
	for range 100 {
		if err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
		err = l.Start()
	}
	t.Fatal(err)
}

// toxic is what a proxy does with what passes in one direction.
type toxic struct {
	Type       string         `json:"type"`
	Stream     string         `json:"stream"` // "upstream" is to the server
	Attributes map[string]int `json:"attributes"`
}

func (l *line) add(t *testing.T, all ...toxic) {
	t.Helper()
	for _, one := range all {
		text, err := json.Marshal(one)
		if err == nil {
			_, err = l.Toxics.AddToxicJson(bytes.NewReader(text))
		}
		if err != nil {
			t.Fatalf("%+v: %v", one, err)
		}
	}
}

// clear undoes all add calls. A connection that was held up is cut.
func (l *line) clear(t *testing.T) {
	t.Helper()
	l.Toxics.ResetToxics(t.Context())
}

// What add takes.

func delayed(by, jitter time.Duration) []toxic {
	return both("latency", map[string]int{"latency": int(by.Milliseconds()), "jitter": int(jitter.Milliseconds())})
}

// slowed is a thin line: a few bytes at a time.
func slowed(kilobytesPerSecond int) []toxic {
	const size = 200
	return both("slicer", map[string]int{"average_size": size, "size_variation": size / 2, "delay": size * 1000 / kilobytesPerSecond})
}

// held is a connection that stays open and on which nothing arrives any more.
func held(direction string) []toxic {
	return []toxic{{"timeout", direction, map[string]int{"timeout": 0}}}
}

const up, down = "upstream", "downstream"

func both(kind string, attributes map[string]int) []toxic {
	return []toxic{{kind, up, attributes}, {kind, down, attributes}}
}
