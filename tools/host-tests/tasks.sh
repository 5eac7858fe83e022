#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tools/tasks with tables made by hand: with this machine's shell and awk, and with busybox, which is
# what VMs have. KTAP on stdout.

set -u

tool=$(readlink -f "$(dirname "$0")/../tasks")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 failed=0

result()
{
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number $kind: $2"
	else
		sed 's/^/# /' "$work/note"
		echo "not ok $number $kind: $2"
		failed=1
	fi
}

# exactly NAME ARGUMENT...: does the tool print what comes on stdin, and nothing on stderr?
exactly()
{
	local name=$1 wanted got
	shift
	wanted=$(cat)
	got=$("${tool_with[@]}" "$tool" "$@" 2>&1 <"$work/stdin")
	compare $? "$name"
}

# rows NAME ARGUMENT...: the same, but one blank between columns is enough.
rows()
{
	local name=$1 wanted got status cells
	shift
	wanted=$(cat)
	got=$("${tool_with[@]}" "$tool" "$@" 2>&1 <"$work/stdin")
	status=$?
	got=$(while read -ra cells; do echo "${cells[*]}"; done <<<"$got")
	compare $status "$name"
}

compare()
{
	printf 'wanted:\n%s\ngot:\n%s\n' "$wanted" "$got" >"$work/note"
	[ "$got" = "$wanted" ] && [ "$1" = 0 ]
	result $? "$2"
}

# refuses NAME STATUS WORDS ARGUMENT...: does it end so, with these words and nothing on stdout?
refuses()
{
	local name=$1 status=$2 words=$3
	shift 3
	"${tool_with[@]}" "$tool" "$@" >"$work/got" 2>"$work/note" <"$work/stdin"
	[ $? = "$status" ] && [ ! -s "$work/got" ] && grep -qF -e "$words" "$work/note"
	result $? "$name"
}

# The next read of the table gets one file, the one after it another: the name is that of the second
# before the first has its end.
two_reads()
{
	rm -f "$1"
	mkfifo "$1"
	cp "$1.after" "$1.next"
	{ cat "$1.before"; mv -f "$1.next" "$1"; } >"$1" &
	writer=$!
}
# It still waits if the tool did not read.
end_reads() { kill "$writer" 2>/dev/null; wait "$writer" 2>/dev/null; }

# --- tables -----------------------------------------------------------------------

mkdir "$work/full" "$work/few" "$work/mine" "$work/self" "$work/while" "$work/empty" "$work/exec"
: >"$work/stdin"
: >"$work/empty/tasks"

cat >"$work/full/tasks" <<'END'
# pid tgid comm state last_cpu start_ns run_ns user_ns system_ns irq_ns softirq_ns wait_ns switches tick_ns voluntary involuntary
1 1 init S 0 12000000 5000000 3000000 2000000 1000 200 3000000000 7 4000000 5 2
exited - - - - - 77000 70000 7000 0 0 0 3 0 3 0
other - - - - - 9 9 0 0 0 - - - - -
END

# Fewer columns, in another order, and one that the tool has never heard of.
cat >"$work/few/tasks" <<'END'
# comm pid tgid tick_ns run_ns start_ns pages
Web\040Content 30 30 4000000000 4000000001 3 11
a[b]*.c 31 30 7000000 3000000000 4 12
back\134slash 32 32 - 5000000000 5 13
b 33 33 3000000 2000000 6 14
<null> 34 34 0 0 7 15
- exited - 1 9000000000 - 16
- other - - 1 - 17
END
cp "$work/few/tasks" "$work/few/processes"

# The user is the effective one. The next has a cgroup of cgroups' first version too, the last has ended.
cat >"$work/mine/tasks" <<'END'
# pid tgid comm start_ns run_ns
20 20 daemon 1 2
21 21 shell 1 3
22 22 gone 1 4
exited - - - 5
END
mkdir -p "$work/proc/20" "$work/proc/21"
printf 'Name:\tdaemon\nUid:\t7\t0\t8\t9\nGid:\t5\t5\t5\t5\n' >"$work/proc/20/status"
printf 'Name:\tshell\nUid:\t0\t1000\t0\t0\nGid:\t0\t0\t0\t0\n' >"$work/proc/21/status"
echo '0::/system.slice/cron.service' >"$work/proc/20/cgroup"
printf '4:memory:/user.slice/a\n0::/\n' >"$work/proc/21/cgroup"

printf '# pid tgid comm start_ns run_ns\n%s %s self 1 2\n' $$ $$ >"$work/self/tasks"

# One goes on, one is new, two end, the pid of one is used again by a task that does more.
cat >"$work/while/tasks.before" <<'END'
# pid tgid comm start_ns run_ns tick_ns switches
40 40 on 1 1000000 4000000 10
41 41 ends 2 500000 0 20
42 42 other 3 6000000 8000000 30
exited - - - 100 200 5
other - - - 7 - -
END
cat >"$work/while/tasks.after" <<'END'
# pid tgid comm start_ns run_ns tick_ns switches
40 40 on 1 4500000 4000000 17
42 42 again 9 7000000 9000000 31
43 43 new 8 250 - 2
exited - - - 6500150 8000200 56
other - - - 9 - -
END
cat >"$work/while/syscalls.before" <<'END'
# abi nr name count cpu_ns wall_ns max_ns
native 0 read 3 1000 5000 3000
native other - 1 10 10 10
END
cat >"$work/while/syscalls.after" <<'END'
# abi nr name count cpu_ns wall_ns max_ns
compat 0 restart_syscall 2 600 600 400
native 0 read 5 1700 9000 3500
native 1 write 10 5000 6000 999
native other - 4 20 30 10
END
# A thread that took its leader's place; and one in two rows of the first read, for it was ending.
cat >"$work/exec/tasks.before" <<'END'
# pid tgid comm start_ns run_ns
50 50 leader 1 900
51 51 ending 2 500
exited - - - 1500
END
cat >"$work/exec/tasks.after" <<'END'
# pid tgid comm start_ns run_ns
50 50 follower 1 70
exited - - - 1600
END

# --- tests -----------------------------------------------------------------------

few='comm pid tgid tick_ns run_ns start_ns pages error_ns'

tests()
{
	exactly "times are in ms, columns aligned, the error is computed" "$work/full" <<-'END'
	   pid  tgid  comm  state  last_cpu  start_ms  run_ms  user_ms  system_ms  irq_ms  softirq_ms   wait_ms  switches  tick_ms  voluntary  involuntary  error_ms
	     1     1  init  S             0    12.000   5.000    3.000      2.000   0.001       0.000  3000.000         7    4.000          5            2     1.000
	exited     -  -     -             -         -   0.077    0.070      0.007   0.000       0.000     0.000         3    0.000          3            0     0.077
	 other     -  -     -             -         -   0.000    0.000      0.000   0.000       0.000         -         -        -          -            -         -
	END
	rows "--ns; columns are found by their names" --ns "$work/few" <<-END
	$few
	Web\040Content 30 30 4000000000 4000000001 3 11 1
	a[b]*.c 31 30 7000000 3000000000 4 12 2993000000
	back\134slash 32 32 - 5000000000 5 13 -
	b 33 33 3000000 2000000 6 14 -1000000
	<null> 34 34 0 0 7 15 0
	- exited - 1 9000000000 - 16 8999999999
	- other - - 1 - 17 -
	END
	rows "--sort error: the most first, then what is unknown, then the sums" --ns --sort error "$work/few" <<-END
	$few
	a[b]*.c 31 30 7000000 3000000000 4 12 2993000000
	Web\040Content 30 30 4000000000 4000000001 3 11 1
	<null> 34 34 0 0 7 15 0
	b 33 33 3000000 2000000 6 14 -1000000
	back\134slash 32 32 - 5000000000 5 13 -
	- exited - 1 9000000000 - 16 8999999999
	- other - - 1 - 17 -
	END
	rows "--sort -error: the least first; --top" --ns --sort -error --top 2 "$work/few" <<-END
	$few
	b 33 33 3000000 2000000 6 14 -1000000
	<null> 34 34 0 0 7 15 0
	END
	rows "--sort run_ns: a name with its unit, numbers beyond 32 bits" --sort run_ns --top 3 "$work/few" <<-'END'
	comm pid tgid tick_ms run_ms start_ms pages error_ms
	back\134slash 32 32 - 5000.000 0.000 13 -
	Web\040Content 30 30 4000.000 4000.000 0.000 11 0.000
	a[b]*.c 31 30 7.000 3000.000 0.000 12 2993.000
	END
	rows "--sort run_ms: a name as the tool shows it" --sort -run_ms --top 1 "$work/few" <<-'END'
	comm pid tgid tick_ms run_ms start_ms pages error_ms
	<null> 34 34 0.000 0.000 0.000 15 0.000
	END
	rows "--sort comm: text" --ns --sort -comm --top 3 --processes "$work/few" <<-END
	$few
	<null> 34 34 0 0 7 15 0
	Web\040Content 30 30 4000000000 4000000001 3 11 1
	a[b]*.c 31 30 7000000 3000000000 4 12 2993000000
	END
	rows "--pid: some; the sums are of all, and so not there" --ns --pid 34,30,3 "$work/few" <<-END
	$few
	Web\040Content 30 30 4000000000 4000000001 3 11 1
	<null> 34 34 0 0 7 15 0
	END
	rows "--comm: a name with a blank" --ns --comm '?eb C*t' "$work/few" <<-END
	$few
	Web\040Content 30 30 4000000000 4000000001 3 11 1
	END
	rows "--comm: what means something to a regular expression does not" --ns --comm 'a\[[!c]]\*.[a-c]' "$work/few" <<-END
	$few
	a[b]*.c 31 30 7000000 3000000000 4 12 2993000000
	END
	rows "--comm: a backslash, and a whole name only" --ns --comm '[ab]*\\s*h' "$work/few" <<-END
	$few
	back\134slash 32 32 - 5000000000 5 13 -
	END
	rows "--comm: no part of a name" --ns --comm 'ack*' "$work/few" <<-END
	$few
	END
	for user in 0 root; do
		rows "--uid $user" --ns --uid $user "$work/mine" <<-'END'
		pid tgid comm start_ns run_ns
		20 20 daemon 1 2
		END
	done
	for path in /system.slice /system.slice/ /system.slice/cron.service; do
		rows "--cgroup $path" --ns --cgroup $path "$work/mine" <<-'END'
		pid tgid comm start_ns run_ns
		20 20 daemon 1 2
		END
	done
	for path in /system /system.slice/cron.service/below; do
		rows "--cgroup $path: nobody's" --ns --cgroup $path "$work/mine" <<-'END'
		pid tgid comm start_ns run_ns
		END
	done
	rows "--cgroup: of more than one hierarchy; with --uid" --ns --cgroup /user.slice --uid 1000 "$work/mine" <<-'END'
	pid tgid comm start_ns run_ns
	21 21 shell 1 3
	END
	PROC= rows "--uid, --cgroup: by the real /proc" --ns --uid "$(id -u)" --cgroup / "$work/self" <<-END
	pid tgid comm start_ns run_ns
	$$ $$ self 1 2
	END
	rows "a table on stdin" --ns --sort run --top 1 - <<-END
	pid tgid comm start_ns run_ns
	22 22 gone 1 4
	END

	two_reads "$work/while/tasks"
	rows "--interval: what each did, and of those that ended what they had not done before" \
		--ns --interval 0.1 "$work/while" <<-'END'
	pid tgid comm start_ns run_ns tick_ns switches error_ns
	40 40 on 1 3500000 0 7 3500000
	42 42 again 9 7000000 9000000 31 -2000000
	43 43 new 8 250 - 2 -
	exited - - - 50 0 1 50
	other - - - 2 - - -
	END
	end_reads
	two_reads "$work/while/syscalls"
	rows "--syscalls, --interval: the longest is no sum" --ns --syscalls --sort wall --interval 0.1 "$work/while" <<-'END'
	abi nr name count cpu_ns wall_ns max_ns
	native 1 write 10 5000 6000 999
	native 0 read 2 700 4000 3500
	compat 0 restart_syscall 2 600 600 400
	native other - 3 10 20 10
	END
	end_reads
	two_reads "$work/exec/tasks"
	rows "--interval: less than before is another task; what ended is not below 0" \
		--ns --interval 0.1 "$work/exec" <<-'END'
	pid tgid comm start_ns run_ns
	50 50 follower 1 70
	exited - - - 0
	END
	end_reads

	refuses "an unknown option" 2 "tasks [OPTION...]" --frobnicate "$work/few"
	refuses "an unknown column: which there are" 2 "comm pid tgid tick_ms" --sort frob "$work/few"
	refuses "an option without its value" 2 "--sort needs" --sort
	refuses "--top that is no number" 2 "--top" --top many "$work/few"
	refuses "--pid that is no list" 2 "--pid" --pid 1,x "$work/few"
	refuses "--interval that is no time" 2 "--interval" --interval 1.1.1 "$work/few"
	refuses "--interval on stdin" 2 "stdin" --interval 1 -
	refuses "--uid: nobody's name" 2 "no such user" --uid "no such user" "$work/few"
	refuses "--syscalls --comm" 2 "not kept by task" --syscalls --comm x "$work/few"
	refuses "--exited --uid" 2 "no user" --exited --uid 0 "$work/few"
	refuses "no table: what to do" 1 "is the module loaded" --exited "$work/few"
	refuses "an empty table" 1 "no table" "$work/empty"
}
count=37

cp "$work/mine/tasks" "$work/stdin"
export PROC="$work/proc"
planned=$((2 * count))
command -v busybox >/dev/null || planned=$((count + 1))
echo "KTAP version 1"
echo "1..$planned"
kind=host tool_with=(sh)
tests
kind=busybox tool_with=(env "PATH=$work/bin" busybox sh)
if command -v busybox >/dev/null; then
	mkdir "$work/bin"
	for applet in busybox awk sed sort cat sleep id; do
		ln -s "$(command -v busybox)" "$work/bin/$applet"
	done
	tests
else
	number=$((number + 1))
	echo "ok $number busybox # SKIP it is not installed"
fi
[ $number = $planned ] || { echo "# planned $planned tests, ran $number"; failed=1; }
exit $failed
