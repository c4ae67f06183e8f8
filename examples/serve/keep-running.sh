#!/bin/sh
# Keeps the daemon running without a service manager:
#
#   nohup examples/serve/keep-running.sh starpost.toml >>starpost.log 2>&1 &
#
# and ends it, after the work at hand, by ending this script:
#
#   kill PID
#
# The daemon waits for servers and disks by itself; it is started again, after a
# pause, only when it fell: a crash ends with code 2 or by a signal. What a person
# has to mend first (code 3), as mistakes in the configuration, ends the script.

config=${1:?usage: keep-running.sh starpost.toml}
pause=${STARPOST_PAUSE:-30}
child=

# A signal ends the wait below; the daemon is told, and waited for.
stop() {
	trap '' TERM INT
	[ -z "$child" ] || kill -TERM "$child" 2>/dev/null
	wait
	exit 0
}
trap stop TERM INT

while :; do
	starpost serve --config "$config" &
	child=$!
	wait "$child"
	code=$?
	child=
	case $code in
	0) exit 0 ;;
	3)
		echo "keep-running: starpost cannot start (exit code $code)" >&2
		exit "$code"
		;;
	esac
	echo "keep-running: starpost ended with code $code, again in $pause s" >&2
	sleep "$pause" &
	wait $!
done
