#!/bin/sh
# Keeps the daemon running without a service manager:
#
#   nohup examples/serve/keep-running.sh starpost.toml >>starpost.log 2>&1 &
#
# To stop the daemon after its current work, stop this script:
#
#   kill PID
#
# The daemon itself waits for servers and disks. The script restarts it, after a
# pause, only after a crash (exit code 2 or a signal). If a person has to fix
# something first (exit code 3), such as the settings, the script ends.

config=${1:?usage: keep-running.sh starpost.toml}
pause=${STARPOST_PAUSE:-30}
child=

# A signal ends the wait below: stop the daemon, and wait for it.
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
	echo "keep-running: starpost ended with code $code, restarting in $pause s" >&2
	sleep "$pause" &
	wait $!
done
