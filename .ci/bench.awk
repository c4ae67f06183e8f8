# Turns the output of "go test -bench -benchmem" into one compact table. Lines
# that are not benchmarks and report trouble pass through.
#
# An extra metric of a benchmark (b.ReportMetric) is appended as it was printed.

function human(ns) {
	if (ns >= 1e9) return sprintf("%.2f s", ns / 1e9)
	if (ns >= 1e6) return sprintf("%.2f ms", ns / 1e6)
	if (ns >= 1e3) return sprintf("%.2f us", ns / 1e3)
	return sprintf("%.1f ns", ns)
}

/^pkg: / {
	package = $2
	sub(/^starpost\//, "", package)
	next
}

/^Benchmark/ && NF >= 4 {
	name = $1
	sub(/^Benchmark/, "", name)
	sub(/-[0-9]+$/, "", name)
	time = bytes = allocs = "-"
	extra = ""
	for (i = 3; i < NF; i += 2) {
		if ($(i + 1) == "ns/op") time = human($i)
		else if ($(i + 1) == "B/op") bytes = $i
		else if ($(i + 1) == "allocs/op") allocs = $i
		else extra = extra "  " $i " " $(i + 1)
	}
	if (!rows++) printf "%-22s %-44s %12s %12s %10s\n", "package", "benchmark", "time/op", "bytes/op", "allocs/op"
	printf "%-22s %-44s %12s %12s %10s%s\n", package, name, time, bytes, allocs, extra
	fflush()
	next
}

/^(goos|goarch|cpu): / || /^(PASS|ok )/ || /no test files/ || /^[ \t]*$/ { next }

{ print; fflush() }

END { if (!rows) print "no benchmark matched" }
