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

// line is a proxy between a host and a server. It can cut, delay, slow or hold up the traffic.
type line struct{ *toxiproxy.Proxy }

// proxies is the library's API server, which every proxy needs although it never runs.
var proxies = sync.OnceValue(func() *toxiproxy.ApiServer {
	s := &toxiproxy.ApiServer{Collection: toxiproxy.NewProxyCollection(), Metrics: toxiproxy.NewMetricsContainer(nil)}
	s.Logger = zero(s.Logger) // logs nothing; zero spares us importing the module of its type
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

// again lets connections through after Stop. It retries, as a child of this process may hold the port until it execs.
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

// toxic is what a proxy does to the traffic in one direction.
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

// clear undoes all add calls. It cuts connections that were held up.
func (l *line) clear(t *testing.T) {
	t.Helper()
	l.Toxics.ResetToxics(t.Context())
}

// Arguments for add:

func delayed(by, jitter time.Duration) []toxic {
	return both("latency", map[string]int{"latency": int(by.Milliseconds()), "jitter": int(jitter.Milliseconds())})
}

// slowed passes only a few bytes at a time.
func slowed(kilobytesPerSecond int) []toxic {
	const size = 200
	return both("slicer", map[string]int{"average_size": size, "size_variation": size / 2, "delay": size * 1000 / kilobytesPerSecond})
}

// held keeps connections open but stops all data in one direction.
func held(direction string) []toxic {
	return []toxic{{"timeout", direction, map[string]int{"timeout": 0}}}
}

const up, down = "upstream", "downstream"

func both(kind string, attributes map[string]int) []toxic {
	return []toxic{{kind, up, attributes}, {kind, down, attributes}}
}
