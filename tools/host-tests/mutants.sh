#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Breaks the pure layer in many ways, one at a time, in a copy of it, and runs
# the host tests on each: they must fail. KTAP on stdout, a test a mutant.
#
# A mutant that does not change its file is a failure too: then the code has
# moved on, and the list below has not.
#
# SRC= is the tree to break a copy of. ONLY= is a regular expression that picks
# lines of the list.

set -u

here=$(dirname "$(readlink -f "$0")")
src=${SRC:-$here/../..}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

ledger_h=include/cpuprecise/ledger.h
ledger_c=module/ledger/ledger.c
idle_h=include/cpuprecise/idle_state.h
idle_c=module/ledger/idle_state.c
sleepers_c=module/ledger/sleepers.c

# The list: file | what is broken | sed script
mutants() {
	cat <<-EOT
	$ledger_h|a backstep is booked as an interval|/cpupr_ledger_close(/,/^}/s/if (unlikely((s64)delta < 0))/if (0)/
	$ledger_h|the interval is not moved on|s/^\t\tl->start = now;$//
	$ledger_h|a boundary is renewed while in user|s/ \&\& !cpupr_is_user(l->at.base);/;/
	$ledger_h|a boundary is never given|s/bool ahead = .*/bool ahead = false;/
	$ledger_h|a boundary is one too much|s/l->time\[CPUPR_SYSTEM\] += boundary;/l->time[CPUPR_SYSTEM] += ++boundary;/
	$ledger_h|a boundary is not marked|s/l->at.ahead = true;//
	$ledger_h|a boundary outlives an irq entry|/^static.*irq_enter(/,/^}/s/l->at.ahead = false;//
	$ledger_h|a boundary outlives a softirq entry|/^static.*cpupr_ledger_top(/,/^}/s/l->at.ahead = false;//
	$ledger_h|a boundary outlives an account|/^static.*cpupr_ledger_account(/,/^}/s/l->at.ahead = false;//
	$ledger_c|what a boundary did not use is kept|s/l->time\[CPUPR_SYSTEM\] -= unused;//
	$ledger_c|what a boundary did not use is given back twice|/^notrace void cpupr_ledger_account_back/,/^}/s/l->at.ahead = false;//
	$ledger_c|more than a boundary is given back|s/min(short_of, l->lead)/short_of/
	$ledger_c|a short stay is a step back|s/short_of -= unused;//
	$ledger_h|deltas are 32 bits|s/u64 delta = now - l->start;/u32 delta = now - l->start;/
	$ledger_h|softirq goes before irq|s/if (l->at.irq)\$/if (l->at.irq \&\& !l->at.softirq)/
	$ledger_h|softirq is never on top|s/else if (l->at.softirq)/else if (0)/
	$ledger_h|a base change books after it|/^static.*cpupr_ledger_base(/,/^}/{/close/d;s/cpupr_ledger_top(l);/&cpupr_ledger_close(l, now);/}
	$ledger_h|a base change ends interrupts|/^static.*cpupr_ledger_base(/,/^}/s/cpupr_ledger_top(l);/l->at.category = base;/
	$ledger_h|a switch keeps the irq depth|/^static.*cpupr_ledger_switch(/,/^}/s/l->at = cpupr_at_base(base);/l->at.category = base; l->at.base = base; l->at.softirq = 0; l->at.ahead = false;/
	$ledger_h|a switch keeps what is ahead|/^static.*cpupr_ledger_switch(/,/^}/s/l->at = cpupr_at_base(base);/{ bool ahead = l->at.ahead; & l->at.ahead = ahead; }/
	$ledger_h|a switch drops the softirq depth|/^static.*cpupr_ledger_switch(/,/^}/s/l->at.softirq = softirq;//
	$ledger_h|a switch is not shown in softirq|/^static.*cpupr_ledger_switch(/,/^}/s/l->at.category = CPUPR_SOFTIRQ;//
	$ledger_h|an entry into the kernel is user|s/l->at = cpupr_at_base(CPUPR_SYSTEM);/l->at = cpupr_at_base(CPUPR_USER);/
	$ledger_h|an entry into the kernel leaves an interrupt open|s/l->at = cpupr_at_base(CPUPR_SYSTEM);/l->at.base = CPUPR_SYSTEM; cpupr_ledger_top(l);/
	$ledger_h|the depth is 8 bits|s/^\t\tu16 irq;/\t\tu8 irq;/;s/^\t\tu16 softirq;/\t\tu8 softirq;/
	$ledger_h|user keeps the irq depth|/^static.*cpupr_ledger_user(/,/^}/s/l->at = cpupr_at_base(base);/l->at.base = base; cpupr_ledger_top(l);/
	$ledger_h|nice counts as the kernel|s/return category <= CPUPR_NICE;/return category < CPUPR_NICE;/
	$ledger_h|an irq entry books nothing|/^static.*irq_enter(/,/^}/s/cpupr_ledger_close(l, now);//
	$ledger_h|an irq exit leaves all interrupts|/^static.*cpupr_ledger_irq_exit(/,/^}/s/l->at.irq--;/l->at.irq = 0;/
	$ledger_h|an irq exit of user code books nothing|/^static.*irq_exit_user(/,/^}/s/cpupr_ledger_close(l, now);//
	$ledger_h|an irq exit of user code goes to system|/^static.*irq_exit_user(/,/^}/s/CPUPR_USER/CPUPR_SYSTEM/
	$ledger_h|a nested irq is one of user code|/^static.*irq_of_user(/,/^}/s/cpupr_at_word(CPUPR_IRQ, CPUPR_USER, 1)/cpupr_at_word(CPUPR_IRQ, CPUPR_USER, 2)/
	$ledger_h|an irq exit without an entry counts|/^static.*cpupr_ledger_irq_exit(/,/^}/s/if (unlikely(!l->at.irq))/if (0)/
	$ledger_h|a softirq exit without an entry counts|/^static.*cpupr_ledger_softirq_exit(/,/^}/s/if (unlikely(!l->at.softirq))/if (0)/
	$ledger_h|a softirq exit goes to the base|/^static.*cpupr_ledger_softirq_exit(/,/^}/s/cpupr_ledger_top(l);/l->at.category = l->at.base;/
	$ledger_h|a wake-up is not stamped|s/WRITE_ONCE(l->iowait_end, now);//
	$ledger_h|a wake-up is not counted|s/atomic_dec(&l->iowaiters);//
	$ledger_h|a sleep is not counted|s/atomic_inc(&l->iowaiters);//
	$ledger_c|what was shown falls|/^void cpupr_keep_shown/,/^}/s/time\[i\] = shown\[i\];//
	$ledger_c|what was shown is not paid for|/^void cpupr_keep_shown/,/^}/s/time\[i\] -= part;//
	$ledger_c|what was shown is forgotten|/^void cpupr_keep_shown/,/^}/s/shown\[i\] = time\[i\];//
	$ledger_c|online leaves the irq depth|/^void cpupr_ledger_online/,/^}/s/l->at = cpupr_at_base(base);/l->at.category = base; l->at.base = base; l->at.softirq = 0;/
	$ledger_c|online leaves the softirq depth|/^void cpupr_ledger_online/,/^}/s/l->at = cpupr_at_base(base);/l->at.category = base; l->at.base = base; l->at.irq = 0;/
	$ledger_c|offline time is elapsed|/^void cpupr_ledger_online/,/^}/s/l->opened = now;//
	$ledger_c|offline drops the open interval|/^void cpupr_ledger_offline/,/^}/s/cpupr_ledger_account(l, now);//
	$ledger_c|offline forgets this opening|s/l->past += l->start - l->opened;//
	$ledger_c|a backstep shortens elapsed|s/l->opened -= short_of;//
	$ledger_c|a backstep is not counted|s/l->backsteps++;//
	$ledger_c|iowait ends while one still sleeps|s/atomic_read[_acquire]*(&l->iowaiters) <= 0/1/
	$ledger_c|iowait goes on at a count below 0|s/(&l->iowaiters) <= 0/(\&l->iowaiters) == 0/
	$ledger_c|iowait never ends|s/atomic_read[_acquire]*(&l->iowaiters) <= 0/0/
	$ledger_c|a wake-up before the interval is one after it|s/if ((s64)part < 0)/if (0)/
	$ledger_c|a wake-up after the interval is trusted|s/part = min(part, delta);//
	$ledger_c|iowait begins again after an interrupt|s/l->at.base = CPUPR_IDLE;//
	$ledger_c|iowait goes on until the next event|s/l->at.category = CPUPR_IDLE;//
	$ledger_c|rescale leaves a category out|s/for (i = 0; i < CPUPR_NR_CATEGORIES; i++)/for (i = 1; i < CPUPR_NR_CATEGORIES; i++)/
	$ledger_c|rescale takes elapsed as it was|s/l->past = cpupr_ledger_sum(l);/l->past = cpupr_ledger_elapsed(l);/
	$ledger_c|rescale keeps the opening|/^void cpupr_ledger_rescale/,/^}/s/l->opened = now;//
	$ledger_c|rescale keeps the old wake-up|/^void cpupr_ledger_rescale/,/^}/s/l->iowait_end = now;//
	$ledger_c|rescale multiplies in 64 bits|s/l->time\[i\] = mul_u64_u32_shr(l->time\[i\], mult, shift);/l->time[i] = l->time[i] * mult >> shift;/
	$ledger_c|the share overflows|s/while (elapsed >> 50)/while (elapsed >> 52)/
	$ledger_c|the share is rounded up|s/div64_u64(busy \* 10000, elapsed)/div64_u64(busy * 10000 + elapsed - 1, elapsed)/
	$sleepers_c|duplicates are taken|s/return -EEXIST;/continue;/
	$sleepers_c|only the first slot is looked at for duplicates|/EEXIST/{x;s/.*//;x};/^notrace int cpupr_sleepers_add/,/^}/{0,/CPUPR_SLEEPER_REACH/s//1/}
	$sleepers_c|a taken slot is overwritten|s/READ_ONCE(e->task) != FREE ||//;s/cmpxchg(&e->task, FREE, FILLING) != FREE/(e->task = FILLING, 0)/
	$sleepers_c|the window does not go round|s/(home(task) + i) % CPUPR_SLEEPER_SLOTS/home(task) % CPUPR_SLEEPER_SLOTS + i/
	$sleepers_c|a remover stops at a hole|/^notrace int cpupr_sleepers_remove/,/^}/s/struct cpupr_sleeper \*e = slot(s, task, i);/&if (!e->task) break;/
	$sleepers_c|two removers both get it|/^notrace int cpupr_sleepers_remove/,/^}/s/cmpxchg(&e->task, task, [A-Z]*)/(cmpxchg(\&e->task, task, FREE), task)/
	$sleepers_c|all tasks hash to one slot|s/return (unsigned int).*/return 0 * (unsigned int)task;/
	$idle_h|a bucket begins one early|s/return 63 ^ (unsigned long)__builtin_clzll(ns | 1);/return 63 ^ (unsigned long)__builtin_clzll((ns + 1) | 1);/
	$idle_h|a stay begins as the last one ended|s/^\tb->at = slot->at;$//
	$idle_h|the limits are those of what was asked for|s/residency < slot->less_than/residency < b->stay->less_than/
	$idle_h|just long enough is less|s/residency < slot->less_than/residency <= slot->less_than/
	$idle_h|just as long as the next one is not more|s/residency >= slot->more_from/residency > slot->more_from/
	$idle_h|a switch is never a request|s/if (switched \&\& cause == CPUPR_IDLE_NONE)/if (0)/
	$idle_h|a switch is always a request|s/if (switched \&\& cause == CPUPR_IDLE_NONE)/if (switched)/
	$idle_h|times are 32 bits|s/c->time\[bucket\] += residency;/c->time[bucket] += (u32)residency;/
	$idle_c|cpu_idle_poll() halts|s/b->slot\[CPUPR_IDLE_POLL\].at.polling = true;//
	$idle_c|no driver has a next state|s/b->slot\[i\].more_from = ~0ULL;//
	$idle_c|an unwatched stay ended by itself|s/interrupts ? CPUPR_IDLE_NONE : CPUPR_IDLE_REST/CPUPR_IDLE_NONE/
	$idle_c|only slots in use are unwatched|s/b->slot\[i\].at.cause = interrupts/if (i < CPUPR_IDLE_FIRST || b->slot[i].used) &/
	$idle_c|states of two latencies are one|s/a->exit_latency == b->exit_latency \&\& //
	$idle_c|states of two targets are one|s/ \&\& a->target_residency == b->target_residency//
	$idle_c|a state that polls is one that halts|s/a->polling == b->polling \&\& //
	$idle_c|names are told apart by their beginning|s/memcmp(a->name, b->name, CPUPR_IDLE_NAME)/memcmp(a->name, b->name, CPUPR_IDLE_NAME - 2)/
	$idle_c|states of two numbers are one|s/if (s->index == index \&\& same/if (same/
	$idle_c|a new state halts|s/s->at.polling = info->polling;//
	$idle_c|the last slot is not used|s/i = CPUPR_IDLE_FIRST; i < CPUPR_IDLE_SLOTS; i++/i = CPUPR_IDLE_FIRST; i < CPUPR_IDLE_SLOTS - 1; i++/
	$idle_c|the sum of two times overflows|s/return a + b < a ? ~0ULL : a + b;/return a + b;/
	$idle_c|a state that is not taken is the next one|s/i + 1 < b->states/i + 1 < states/
	$idle_c|what has no slot has limits|s/if (s == \&b->slot\[CPUPR_IDLE_OTHER\])/if (0)/
	$idle_c|latency is not part of less|s/s->less_than = .*/s->less_than = info[i].target_residency;/
	$idle_c|causes of two keys are one|s/b->cause_of\[i\].key == key \&\& //
	$idle_c|causes of two numbers are one|s/ \&\& b->cause_of\[i\].number == number//
	$idle_c|the last entry for a cause is not used|s/if (i == CPUPR_IDLE_CAUSES)/if (i == CPUPR_IDLE_CAUSES - 1)/
	$idle_c|a name is cut too early|s/len < CPUPR_IDLE_CAUSE_NAME - 1/len < CPUPR_IDLE_CAUSE_NAME - 2/
	$idle_c|the last interrupt ended the stay|/^notrace void cpupr_idle_wake/,/^}/s/if (b->at.settled)/if (0)/
	$idle_c|the first interrupt of a halt is not final|/^notrace void cpupr_idle_wake/,/^}/{/b->at.cause = cause;/{n;d}}
	$idle_c|a request while the CPU halts hides an interrupt|s/if (resched \&\& (over || b->at.polling))/if (resched)/
	$idle_c|a request before an interrupt is not seen after a halt|s/if (resched \&\& (over || b->at.polling))/if (resched \&\& b->at.polling)/
	$idle_c|a request before an interrupt is not seen while polling|s/if (resched \&\& (over || b->at.polling))/if (resched \&\& over)/
	$idle_c|a poll ends with its first interrupt|s/} else if (!b->at.polling) {/} else if (1) {/
	$idle_c|an interrupt after a poll may have ended it|s/} else if (!over) {/} else {/
	$idle_c|the first interrupt of a poll is the guess|s/b->at.guess = cause;/if (!b->at.guess) &/
	$idle_c|each interrupt of a poll ends it|s/if (!resched || b->at.settled/if (b->at.settled/
	$idle_c|a guess overrides what is settled|s/if (!resched || b->at.settled ||/if (!resched ||/
	$idle_c|a guess is not final|/^notrace void cpupr_idle_settle/,/^}/s/b->at.settled = true;//
	$idle_c|just long enough is too deep|s/if (residency < s->target_residency)/if (residency <= s->target_residency)/
	$idle_c|too deep counts itself as shallower|s/((1ULL << entered) - 1)/((2ULL << entered) - 1)/
	$idle_c|too deep looks at the state above only|s/((1ULL << entered) - 1)/((1ULL << entered) >> 1)/
	$idle_c|too deep looks at disabled states|s/return ~disabled \& /return /
	$idle_c|no longer than the latency is too shallow|s/if (residency <= s->exit_latency)/if (residency < s->exit_latency)/
	$idle_c|too shallow looks at disabled states|s/if (!(disabled >> i \& 1))$/if (1)/
	$idle_c|too shallow looks past the next state|s/return residency - s->exit_latency >= info\[i\].target_residency;/{ if (residency - s->exit_latency >= info[i].target_residency) return 1; }/
	$idle_c|just as long as the next target is right|s/return residency - s->exit_latency >= /return residency - s->exit_latency > /
	$idle_c|too shallow forgets the latency|s/return residency - s->exit_latency >= /return residency >= /
	$idle_c|the cost overflows|/^u64 cpupr_idle_cost_pct/,/^}/s/^\t\tcost = ~0ULL;$/\t\t;/
	$idle_c|the cost of a year overflows|s/while (cost >> 50 \&\& elapsed > 1)/while (cost >> 53 \&\& elapsed > 1)/
	$idle_c|what cannot be said overflows|s/return cost >> 50 ? ~0ULL : /return /
	$idle_c|a sum leaves the last bucket out|/^static u64 sum/,/^}/s/i < CPUPR_IDLE_BUCKETS/i < CPUPR_IDLE_BUCKETS - 1/
	$idle_c|a sum of times is one of stays|s/sum += c->time\[i\];/sum += c->count[i];/
	EOT
}

# Without sanitizers: each mutant has to be wrong, not only undefined.
# Tests of other parts of the pure layer are left out.
build_and_check() {
	case $1 in
	"$sleepers_c") tests="sleepers sleepers_race" ;;
	"$idle_h" | "$idle_c") tests="idle_vectors idle_fuzz" ;;
	*) tests="ledger_vectors ledger_edges ledger_fuzz" ;;
	esac
	set -- SRC="$work" B="$work/out" SANITIZE= RACE= WARNINGS= tests="$tests"
	make -s -C "$here" build "$@" >"$work/log" 2>&1 || return 2
	make -s -C "$here" check "$@" >"$work/log" 2>&1 || return 1
}

fresh() {
	rm -rf "$work/include" "$work/module" "$work/kunit" "$work/out"
	mkdir -p "$work/module"
	cp -r "$src/include" "$src/kunit" "$work/"
	cp -r "$src/module/ledger" "$work/module/"
}

mutants | grep -e "${ONLY:-.}" >"$work/list"
total=$(wc -l <"$work/list")
number=1
failed=0

echo "KTAP version 1"
echo "1..$((total + 1))"

fresh
if build_and_check "$ledger_c" && build_and_check "$sleepers_c" && build_and_check "$idle_c"; then
	echo "ok 1 unbroken"
else
	sed 's/^/# /' "$work/log"
	echo "not ok 1 unbroken"
	exit 1
fi

while IFS='|' read -r file what script; do
	number=$((number + 1))
	fresh
	sed -i "$script" "$work/$file"
	if cmp -s "$src/$file" "$work/$file"; then
		echo "not ok $number ${file##*/}: $what # the mutant changes nothing"
		failed=1
		continue
	fi
	build_and_check "$file"
	case $? in
	0)
		echo "not ok $number ${file##*/}: $what # not noticed"
		failed=1
		;;
	2)
		sed 's/^/# /' "$work/log"
		echo "not ok $number ${file##*/}: $what # does not build"
		failed=1
		;;
	*)
		grep -h '^ *not ok' "$work/log" | head -n 1 | sed 's/^ */# /'
		echo "ok $number ${file##*/}: $what"
		;;
	esac
done <"$work/list"
exit $failed
