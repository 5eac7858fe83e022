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
piece_h=module/ledger/piece.h
event_c=module/ledger/event.c
trigger_c=module/ledger/trigger.c
freq_c=module/ledger/freq.c
cycles_h=include/cpuprecise/cycles.h
hist_h=include/cpuprecise/hist.h
task_h=include/cpuprecise/task_table.h
task_c=module/ledger/task_table.c
call_h=include/cpuprecise/call_table.h
call_c=module/ledger/call_table.c
cgroup_c=module/ledger/cgroup_table.c
stack_set_c=module/ledger/stack_set.c
irq_h=include/cpuprecise/irq_table.h
irq_c=module/ledger/irq_table.c
theft_c=module/ledger/theft_table.c

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
	$ledger_c|a guest's time is not part of user|/^notrace void cpupr_ledger_guest_enter/,/^}/s/cpupr_at_base(base)/cpupr_at_base(CPUPR_SYSTEM)/
	$ledger_c|what was open is a guest's|/^notrace void cpupr_ledger_guest_enter/,/^}/s/cpupr_ledger_guest_leave(l, now);//
	$ledger_c|a guest's time is all of its category|s/l->guest_mark = l->time\[base\];/l->guest_mark = 0;/
	$ledger_c|a guest has nothing|s/^\tl->guest\[l->at.base\] += .*//
	$ledger_c|a guest has what it had last|s/l->guest\[l->at.base\] += /l->guest[l->at.base] = /
	$ledger_c|all guests are of user|s/l->guest\[l->at.base\] += /l->guest[CPUPR_USER] += /
	$ledger_c|a guest comes back to system|s/cpupr_at_base(l->host)/cpupr_at_base(CPUPR_SYSTEM)/
	$ledger_c|a guest never ends|s/l->in_guest = false;//
	$ledger_c|a guest's end comes without it|s/if (!l->in_guest)\$/if (0)/
	$ledger_c|offline leaves a guest open|/^void cpupr_ledger_offline/,/^}/s/cpupr_ledger_guest_leave(l, now);/cpupr_ledger_account(l, now);/
	$ledger_c|rescale leaves a guest open|/^void cpupr_ledger_rescale/,/^}/s/if (l->in_guest)/if (0)/
	$ledger_c|rescale leaves a guest's time out|/^void cpupr_ledger_rescale/,/^}/s/i < CPUPR_NR_GUEST/i < 0/
	$ledger_c|a guest's time that was shown falls|s/if (guest > \*shown)/if (1)/
	$ledger_c|the rest of a guest's category falls|s/min(guest - \*shown, grown)/guest - *shown/
	$ledger_c|a guest's time is all that was added to its category|s/min(guest - \*shown, grown)/grown/
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
	$ledger_c|what is stolen stays where it was, too|/^static notrace void take_stolen/,/^}/s/l->time\[category\] -= part;//
	$ledger_c|what is stolen is lost|s/l->time\[CPUPR_STEAL\] += part;//
	$ledger_c|more is stolen than the interval has|s/= min(l->stolen - l->time\[CPUPR_STEAL\], grown)/= l->stolen - l->time[CPUPR_STEAL]/
	$ledger_c|a steal clock that goes back is followed|s/if ((s64)(stolen - l->stolen) > 0)/if (1)/
	$ledger_c|after iowait no idle time is stolen|s/if (open == CPUPR_IOWAIT)/if (0)/
	$ledger_c|idle time of before is stolen|s/l->time\[CPUPR_IDLE\] - idle/l->time[CPUPR_IDLE]/
	$ledger_c|time of before is stolen|s/l->time\[open\] - before/l->time[open]/
	$ledger_c|no iowait is stolen|s/u8 open = l->at.category;/u8 open = l->at.category == CPUPR_IOWAIT ? CPUPR_IDLE : l->at.category;/
	$ledger_c|rescale keeps the steal clock|s/l->stolen = mul_u64_u32_shr(.*);//
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
	$hist_h|a bucket begins one early|s/return 63 ^ (unsigned long)__builtin_clzll(ns | 1);/return 63 ^ (unsigned long)__builtin_clzll((ns + 1) | 1);/
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
	$idle_c|a sum leaves the last bucket out|/^static u64 sum/,/^}/s/i < CPUPR_BUCKETS/i < CPUPR_BUCKETS - 1/
	$idle_c|a sum of times is one of stays|s/sum += c->time\[i\];/sum += c->count[i];/
	$event_c|a stalled back end is a front end|s/STALLED_CYCLES_BACKEND)/STALLED_CYCLES_FRONTEND)/
	$event_c|software events are hardware's|s/PERF_TYPE_SOFTWARE/PERF_TYPE_HARDWARE/
	$event_c|minor faults are all faults|s/PAGE_FAULTS_MIN/PAGE_FAULTS/
	$event_c|a clock has modes|s/SOFTWARE("task-clock", TASK_CLOCK, true)/SOFTWARE("task-clock", TASK_CLOCK, false)/
	$event_c|a context switch has modes|s/CONTEXT_SWITCHES, true)/CONTEXT_SWITCHES, false)/
	$event_c|a clock without a modifier is refused|s/named_events\[i\].modeless \&\& modified/named_events[i].modeless/
	$event_c|stores into instructions|s/CACHE_L1I, READS | PREFETCHES/CACHE_L1I, READS | WRITES | PREFETCHES/
	$event_c|no prefetches of instructions|s/CACHE_L1I, READS | PREFETCHES/CACHE_L1I, READS/
	$event_c|branches are prefetched|s/CACHE_BPU, READS }/CACHE_BPU, READS | PREFETCHES }/
	$event_c|each cache does all|s/!(cache->operations >> a->operation \& 1) || //
	$event_c|the cache's operation is its result|s/a->operation << 8 | a->result << 16/a->operation << 16 | a->result << 8/
	$event_c|a store that misses is one|s/"-store-misses", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS/"-store-misses", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS/
	$event_c|the cache's type is raw|s/PERF_TYPE_HW_CACHE/PERF_TYPE_RAW/
	$piece_h|f is no digit|s/c <= 'f'/c <= 'e'/
	$piece_h|digits are letters of one case|/^static.* digit(/,/^}/s/c |= 0x20;//
	$piece_h|letters are of one case|/^static.* is_letter(/,/^}/s/c |= 0x20;//
	$piece_h|a letter is what lies next to them|/^static.* is_letter(/,/^}/s/c >= 'a'/c >= '\`'/
	$piece_h|what lies behind z is a letter|/^static.* is_letter(/,/^}/s/c <= 'z'/c <= '{'/
	$piece_h|a word is empty|s/if (!p.len || digit(p.at\[0\]) < 10)/if (p.len \&\& digit(p.at[0]) < 10)/
	$piece_h|a word begins with a digit|s/if (!p.len || digit(p.at\[0\]) < 10)/if (!p.len)/
	$piece_h|a word has no minus|s/p.at\[i\] != '-' \&\& //
	$piece_h|a word's last character is free|/^static.* is_word(/,/^}/s/i < p.len; i++/i + 1 < p.len; i++/
	$event_c|each word has dots|s/if (!is_word(p, '_'))/if (!is_word(p, '.'))/
	$event_c|a tracepoint has dots|s/if (!is_word(event, '_'))/if (!is_word(event, '.'))/
	$event_c|a PMU has no dots|s/is_word(pmu, '.')/is_word(pmu, '_')/
	$piece_h|a beginning is the word|s/return p.len == strlen(text) \&\& !memcmp(p.at, text, p.len);/return !memcmp(p.at, text, p.len);/
	$piece_h|a longer word is the word|s/return p.len == strlen(text) \&\& !memcmp(p.at, text, p.len);/return p.len >= strlen(text) \&\& !memcmp(p.at, text, strlen(text));/
	$event_c|a part loses its last byte|/^static int copy_part/,/^}/s/memcpy(to, p.at, p.len)/memcpy(to, p.at, p.len - 1)/
	$event_c|a part has no room for its NUL|s/if (p.len >= CPUPR_EVENT_PART)/if (p.len > CPUPR_EVENT_PART)/
	$event_c|a part is cut too early|s/if (p.len >= CPUPR_EVENT_PART)/if (p.len >= CPUPR_EVENT_PART - 1)/
	$piece_h|no digits are 0|/^static.* parse_number(/,/^}/{/if (!p.len)/{N;d}}
	$piece_h|decimal takes hexadecimal digits|s/digit(p.at\[i\]) >= base/digit(p.at[i]) >= 16/
	$piece_h|a product overflows|s/__builtin_mul_overflow(number, base, \&number)/((number *= base), 0)/
	$piece_h|a sum overflows|s/__builtin_add_overflow(number, digit(p.at\[i\]), \&number)/((number += digit(p.at[i])), 0)/
	$event_c|ku is no modifier|s/ \&\& !is_text(p, "ku")//
	$event_c|any modifier will do|/^static int parse_modifiers/,/^}/s/return -EINVAL;/;/
	$event_c|u and k are swapped|s/e->no_user = kernel;/e->no_user = user;/
	$event_c|u excludes nothing|s/e->no_kernel = user;//
	$event_c|r is an event|s/p.len < 2 ||/p.len < 1 ||/
	$event_c|each hexadecimal number is raw|s/ || p.at\[0\] != 'r')/)/
	$event_c|raw takes 17 digits|s/p.len > 1 + 16/p.len > 1 + 17/
	$event_c|raw takes 15 digits|s/p.len > 1 + 16/p.len > 1 + 15/
	$event_c|raw is decimal|s/p.len - 1 }, 16)/p.len - 1 }, 10)/
	$event_c|what is no event's modifier is a tracepoint|/^static int parse_tracepoint/,/^}/s/return -ENOENT;/;/
	$event_c|a tracepoint of a name like a modifier has no modifier|s/if (!modified \&\& !parse_modifiers(e, event))/if (!parse_modifiers(e, event))/
	$event_c|a tracepoint's modifier is not looked at|s/if (!err \&\& modified)/if (0)/
	$event_c|a tracepoint's name is its group's|s/err = copy_part(e->event, event);/err = copy_part(e->event, group);/
	$event_c|a tracepoint has no type|s/e->type = PERF_TYPE_TRACEPOINT;//
	$event_c|a tracepoint has no kind|s/e->kind = CPUPR_EVENT_TRACEPOINT;//
	$event_c|a known name may be a tracepoint's|s/return err ? err : parse_modifiers(e, rest);/return err ? err : parse_modifiers(e, rest) ? parse_tracepoint(e, p, rest) : 0;/
	$event_c|a term may be given twice|s/ || \*given >> i \& 1)/)/
	$event_c|the terms are the other way round|s/\&e->config1, \&e->config2 }/\&e->config2, \&e->config1 }/
	$piece_h|0 is no number|s/p.len > 2 \&\& //;s/p.at\[0\] == '0' \&\& p.at\[1\] == 'x'/p.at[0] == '0'/
	$piece_h|x is hexadecimal without 0|s/p.at\[0\] == '0' \&\& p.at\[1\] == 'x'/p.at[1] == 'x'/
	$event_c|a term without a config is enough|s/if (!(given \& 1))/if (!given)/
	$event_c|only the first term is looked at|s/more = cut(&terms, ',', &next);/more = cut(\&terms, ',', \&next) \&\& 0;/
	$event_c|a PMU needs no second slash|s/|| !cut(&terms, '\/', &modifiers))/|| (!cut(\&terms, '\/', \&modifiers) \&\& ((modifiers.len = 0), 0)))/
	$event_c|a colon is a modifier|s/modifiers.len > 1 \&\& modifiers.at\[0\] == ':'/modifiers.at[0] == ':'/
	$event_c|a PMU's modifier has no colon|s/modifiers.len > 1 \&\& modifiers.at\[0\] == ':'/0/
	$event_c|a PMU's modifier is not looked at|s/if (modifiers.len \&\& parse_modifiers(e, modifiers))/if (0)/
	$event_c|a PMU needs a modifier|s/if (modifiers.len \&\& parse_modifiers/if (parse_modifiers/
	$event_c|a PMU has no kind|s/e->kind = CPUPR_EVENT_PMU;//
	$event_c|a PMU has no name|s/return copy_part(e->group, pmu);/return pmu.len < CPUPR_EVENT_PART ? 0 : -ENAMETOOLONG;/
	$event_c|a name has no room for its NUL|s/if (len >= CPUPR_EVENT_NAME)/if (len > CPUPR_EVENT_NAME)/
	$event_c|a name is cut too early|s/if (len >= CPUPR_EVENT_NAME)/if (len >= CPUPR_EVENT_NAME - 1)/
	$event_c|what was there before is left|s/^\tmemset(e, 0, sizeof(\*e));\$//
	$event_c|the name is not kept|s/^\tmemcpy(e->name, name, len);\$//
	$event_c|kinds do not matter|s/a->kind == b->kind \&\& //
	$event_c|types do not matter|s/a->type == b->type \&\& //
	$event_c|config does not matter|s/ \&\& a->config == b->config//
	$event_c|config1 does not matter|s/a->config1 == b->config1 \&\& //
	$event_c|config2 does not matter|s/a->config2 == b->config2 \&\&//
	$event_c|groups do not matter|s/!strcmp(a->group, b->group) \&\& //
	$event_c|tracepoints do not matter|s/!strcmp(a->event, b->event) \&\&//
	$event_c|user mode does not matter|s/a->no_user == b->no_user \&\& //
	$event_c|the kernel does not matter|s/ \&\& a->no_kernel == b->no_kernel//
	$event_c|a list begins with no comma|s/ || \*list == ','))\$/))/
	$event_c|a list begins with no tab|/while (list < end/s/\*list == '\\\\t' || //
	$event_c|a newline is in a name|s/ || \*list == '\\\\n' || (\*list/ || (*list/
	$event_c|a comma ends each name|s/(\*list == ',' \&\& !slashes)/*list == ','/
	$event_c|a comma ends no name|s/ || (\*list == ',' \&\& !slashes))/)/
	$event_c|slashes do not close|s/slashes ^= \*list == '\/'/slashes |= *list == '\/'/
	$event_c|an empty name|s/return \*len ? name : NULL;/return name;/
	$trigger_c|a name begins with a digit|s/ || digit(p.at\[0\]) < 10)/)/
	$trigger_c|a name has no room for its NUL|s/if (p.len >= CPUPR_TRIGGER_NAME)/if (p.len > CPUPR_TRIGGER_NAME)/
	$trigger_c|a name is cut too early|s/if (p.len >= CPUPR_TRIGGER_NAME)/if (p.len >= CPUPR_TRIGGER_NAME - 1)/
	$trigger_c|a name has a NUL|s/(c \&\& strchr(also, c))/strchr(also, c)/
	$trigger_c|nothing is made of all|/^static bool is_made_of/,/^}/s/return p.len;/return true;/
	$trigger_c|the last character is free|/^static bool is_made_of/,/^}/s/i < p.len; i++/i + 1 < p.len; i++/
	$trigger_c|a control character is printable|s/< ' ' ||/< '\\\\n' ||/
	$trigger_c|a delete is printable|s/ || p.at\[i\] == 0x7f)/)/
	$trigger_c|what is not ASCII does not print|s/(unsigned char)p.at\[i\] < ' '/p.at[i] < ' '/
	$trigger_c|a tab is in a field|s/ || c == '\\\\t';/;/
	$trigger_c|numbers may be too small|s/ || number < least//
	$trigger_c|numbers may be too large|s/ || number > most)/)/
	$trigger_c|two kinds are swapped|s/'p', 'r', 't'/'r', 'p', 't'/
	$trigger_c|each kind has a number|/^static int parse_head/,/^}/s/if (kind != CPUPR_TRIGGER_KRETPROBE)/if (0)/
	$trigger_c|no call is one|s/parse_between(&max_active, p, 1,/parse_between(\&max_active, p, 0,/
	$trigger_c|the number of calls is dropped|s/s->max_active = (u32)max_active;//
	$trigger_c|a given name is dropped|s/return named ? parse_name(s->name, name, why) : 0;/return 0;/
	$trigger_c|a target has no room for its NUL|s/if (p.len >= CPUPR_TRIGGER_TARGET)/if (p.len > CPUPR_TRIGGER_TARGET)/
	$trigger_c|address 0 is one|s/parse_between(&s->address, p, 1,/parse_between(\&s->address, p, 0,/
	$trigger_c|an address is a symbol|s/if (is_address(p))/if (0)/
	$trigger_c|a symbol has no end|s/0x7fffffffULL$/0xffffffffULL/
	$trigger_c|a file has no end|s/0x7fffffffffffffffULL$/0xffffffffffffffffULL/
	$trigger_c|a symbol has no dots|s/is_made_of(p, "_.\$")/is_made_of(p, "_$")/
	$trigger_c|a function returns in its middle|s/if (!err \&\& s->offset)/if (0)/
	$trigger_c|a system begins with a letter|s/!is_made_of(group, "_-") ||/!is_word(group, '_') ||/
	$trigger_c|a system is as long as it likes|s/group.len >= CPUPR_EVENT_PART || //
	$trigger_c|a tracepoint is as long as it likes|s/ || event.len >= CPUPR_EVENT_PART)/)/
	$trigger_c|an unknown event is malformed|s/case -ENOENT:/case -ENXIO:/
	$trigger_c|a long event is malformed|s/case -ENAMETOOLONG:/case -ENXIO:/
	$trigger_c|a path ends at its first colon|/^static int parse_program/,/^}/s/size_t colon = p.len;/&struct piece rest, first = p; if (cut(\&first, ':', \&rest)) colon = first.len + 1;/
	$trigger_c|a path is relative|s/ || path.at\[0\] != '\/'//
	$trigger_c|a path is a directory's|s/ || path.at\[path.len - 1\] == '\/'//
	$trigger_c|a path has what does not print|s/ || !is_printable(path))/)/
	$trigger_c|three bytes are watched|s/ || bytes \& (bytes - 1))/)/
	$trigger_c|nine bytes are watched|s/parse_between(&bytes, len, 1, 8)/parse_between(\&bytes, len, 1, 16)/
	$trigger_c|read is write|s/\[CPUPR_WATCH_READ\] = "r"/[CPUPR_WATCH_READ] = "w"/;s/\[CPUPR_WATCH_WRITE\] = "w"/[CPUPR_WATCH_WRITE] = "r"/
	$trigger_c|nothing is executed|s/watch <= CPUPR_WATCH_EXECUTE/watch < CPUPR_WATCH_EXECUTE/
	$trigger_c|a watch needs no access|s/return s->watch ? 0 : refuse/return 1 ? 0 : refuse/
	$trigger_c|a watch's target is not looked at|s/return err ? err : parse_access/return parse_access/
	$trigger_c|a limit has its sign's bit|s/NUMBER("limit", 1, 9223372036854775807)/NUMBER("limit", 1, 9223372036854775808)/
	$trigger_c|a rate is 0|s/NUMBER("rate", 1,/NUMBER("rate", 0,/
	$trigger_c|a pid is too large|s/4194304)/4194305)/
	$trigger_c|a CPU is too large|s/8191)/8192)/
	$trigger_c|a stack is too deep|s/NUMBER("depth", 1, 64)/NUMBER("depth", 1, 65)/
	$trigger_c|a user is two|s/NUMBER("user", 0, 1)/NUMBER("user", 0, 2)/
	$trigger_c|a frequency is too high|s/100000),/100001),/
	$trigger_c|no mode is to count|/^static int parse_mode/,/^}/s/return .*;/return 0;/
	$trigger_c|a dump counts|/^static int parse_mode/,/^}/s/s->dump = is_text(value, "dump");/if (is_text(value, "dump")) return 0;/
	$trigger_c|an escape has digits of its own|s/p->at + 1, 3 }, 8)/p->at + 1, 3 }, 16)/
	$trigger_c|an escape has 9 bits|s/ || number > 255)/)/
	$trigger_c|a name of a task has no room for its NUL|s/len == CPUPR_TRIGGER_COMM - 1/len == CPUPR_TRIGGER_COMM/
	$trigger_c|a name of a task is empty|s/return len ? 0 : -EINVAL;/return 0;/
	$trigger_c|a pid is no filter|s/s->has_pid = true;//
	$trigger_c|a CPU is no filter|s/s->has_cpu = true;//
	$trigger_c|a rate has no unit|s/value.len -= 2;/;/
	$trigger_c|a rate is a unit|s/value.len > 2 \&\& !memcmp/value.len >= 2 \&\& (value.len == 2 ? (set_number(s, o, 1), 0) : 0, 1) \&\& !memcmp/
	$trigger_c|each kind has a period|s/ || (o >= OPTION_PERIOD \&\& s->kind != CPUPR_TRIGGER_EVENT))/)/
	$trigger_c|a frequency is anybody's|s/o >= OPTION_PERIOD \&\&/o == OPTION_PERIOD \&\&/
	$trigger_c|an option may be given twice|s/if (given(\*options, o))/if (0)/
	$trigger_c|what is wrong with an option is not told|s/return err ? refuse(why, trigger_options\[o\].wrong) : 0;/return err;/
	$trigger_c|a clock may lock up|s/return 10000;/return 1000;/
	$trigger_c|one clock may lock up|s/ || e->config == PERF_COUNT_SW_TASK_CLOCK))/))/
	$trigger_c|cycles may lock up|s/return 1000;/return 1;/
	$trigger_c|instructions may lock up|s/ || e->config == PERF_COUNT_HW_INSTRUCTIONS))/))/
	$trigger_c|each event is a clock|s/e->type == PERF_TYPE_SOFTWARE \&\&/1 \&\&/
	$trigger_c|a depth is none|s/s->depth = CPUPR_TRIGGER_DEPTH;//
	$trigger_c|a dump has no user|s/s->user = program || s->dump;/s->user = program;/
	$trigger_c|a program has no user|s/s->user = program || s->dump;/s->user = s->dump;/
	$trigger_c|a dump has no rate|s/s->rate = CPUPR_TRIGGER_DUMP_RATE;//
	$trigger_c|a dump has no other rate|s/if (s->dump \&\& !given(options, OPTION_RATE))/if (s->dump)/
	$trigger_c|a program's kernel stack is asked for|s/if (program \&\& !s->user)/if (0)/
	$trigger_c|an event has both|s/given(options, OPTION_PERIOD) == given(options, OPTION_FREQ)/!given(options, OPTION_PERIOD) \&\& !given(options, OPTION_FREQ)/
	$trigger_c|an event has neither|s/given(options, OPTION_PERIOD) == given(options, OPTION_FREQ)/given(options, OPTION_PERIOD) \&\& given(options, OPTION_FREQ)/
	$trigger_c|a name made has any character|s/is_one_of(p.at\[i\], "_") ? p.at\[i\] : '_'/p.at[i]/
	$trigger_c|a name made is too long|s/at + 1 < CPUPR_TRIGGER_NAME; i++/at < CPUPR_TRIGGER_NAME; i++/
	$trigger_c|an address is decimal|s/add_number(s->name, s->address, 16)/add_number(s->name, s->address, 10)/
	$trigger_c|a name made has a path|s/strrchr(s->target, '\/') + 1/s->target/
	$trigger_c|a watch's name has no offset|s/if (probe || s->offset)/if (probe)/
	$trigger_c|a made name overrides|s/if (!err \&\& !spec->name\[0\])/if (!err)/
	$trigger_c|what was there before is left|/^int cpupr_trigger_parse(/,/^}/s/memset(spec, 0, sizeof(\*spec));//
	$trigger_c|a reason is left|/^int cpupr_trigger_parse(/,/^}/s/\*why = NULL;//
	$trigger_c|only the first option is looked at|s/while (!err \&\& (option/if (!err \&\& (option/
	$trigger_c|each removal is one of a name|s/if (next_field(&rest).len)$/if (0)/
	$trigger_c|a removal has a number|s/!cut(&head, ':', &what) || !is_text(head, "-")/!cut(\&head, ':', \&what) || head.at[0] != '-'/
	$trigger_c|a dump is one of its newline|s/rest.len--;/;/
	$trigger_c|a dump has no limit|s/spec->limit = 1;//
	$trigger_c|a dump of none|s/parse_between(&spec->limit, count, 1, 1000000)/parse_between(\&spec->limit, count, 0, 1000000)/
	$trigger_c|a dump counts instead|s/spec->dump = true;//
	$trigger_c|a dump's name is its function's|s/add_string(spec->name, "dump_");//
	$trigger_c|a comment has one line too many|s/comment = \*at != '\\\\n' \&\& (/comment = (/
	$trigger_c|a comment is a line|s/ || \*at == '#'); at++/); at++/
	$trigger_c|blanks are a line|s/(comment || is_blank(\*at) ||/(comment ||/
	$trigger_c|a line goes on|/^const char \*cpupr_trigger_line/,/^}/s/while (at < end \&\& \*at != '\\\\n')/while (at < end)/
	$trigger_c|the text does not move|s/^\t\*text = line;$//
	$trigger_c|each second is the same|s/if (second != begun \&\& second + 1 != begun)/if (!begun)/
	$trigger_c|a CPU that is behind begins anew|s/if (second != begun \&\& second + 1 != begun)/if (second != begun)/
	$trigger_c|a clock that is set back waits|s/if (second != begun \&\& second + 1 != begun)/if (second > begun)/
	$trigger_c|one more than the rate|s/(u32)window < rate;/(u32)window <= rate;/
	$trigger_c|no rate is none|s/\*taken = !rate || /*taken = /
	$trigger_c|what is taken is not counted|s/return rate \&\& \*taken ? window + 1 : window;/return window;/
	$trigger_c|what is not taken is counted|s/return rate \&\& \*taken ? window + 1 : window;/return window + 1;/
	$trigger_c|a second is shorter|s/div64_u64(now_ns, 1000000000)/div64_u64(now_ns, 999999999)/
	$freq_c|no row is there for what is not known|s/f->rows = CPUPR_FREQ_UNKNOWN + 1;//
	$freq_c|what was there before is left|s/^\tmemset(f, 0, sizeof(\*f));\$//
	$freq_c|busy time is not seeded|s/f->at.busy = busy;//
	$freq_c|idle time is not seeded|s/f->at.idle = idle;//
	$freq_c|the clock is not seeded|s/f->at.clock = clock;//
	$freq_c|cycles are not seeded|s/f->at.cycles = cycles;//
	$freq_c|the clock of cycles is not seeded|s/f->at.counted = clock;//
	$freq_c|seeded cycles belong to the last row|/^void cpupr_freqs_seed_cycles/,/^}/s/f->counted = f->row;//
	$freq_c|a step back moves the mark|/^static void advance/,/^}/s/if (now <= \*mark)/if (now <= *mark ? (*mark = now, 1) : 0)/
	$freq_c|a step back is a long way|/^static void advance/,/^}/s/if (now <= \*mark)/if (0)/
	$freq_c|the mark is not moved on|s/^\t\*mark = now;\$//
	$freq_c|all of the books count each time|s/\*sum += now - \*mark;/*sum += now;/
	$freq_c|time belongs to the row of cycles|/^void cpupr_freqs_time/,/^}/s/f->sum\[f->row\]/f->sum[f->counted]/
	$freq_c|idle time is busy|s/advance(&s->idle,/advance(\&s->busy,/
	$freq_c|the clock is not summed up|s/advance(&s->clock, .*//
	$freq_c|cycles belong to the frequency now|/^void cpupr_freqs_cycles/,/^}/s/f->sum\[f->counted\]/f->sum[f->row]/
	$freq_c|the clock of cycles is that of time|s/advance(&s->counted, &f->at.counted, clock)/advance(\&s->counted, \&f->at.clock, clock)/
	$freq_c|cycles stay with their row|/^void cpupr_freqs_cycles/,/^}/s/f->counted = f->row;//
	$freq_c|a frequency that is not known has a row|/^void cpupr_freqs_change/,/^}/{/if (!khz)/{N;d}}
	$freq_c|what gets lost leaves the row|s/f->row = CPUPR_FREQ_UNKNOWN;//
	$freq_c|each change has a row|s/ \&\& f->khz\[i\] != khz; i++/; i++/
	$freq_c|the row for others is like any|s/if (i < f->rows || i == CPUPR_FREQ_OTHER)/if (i < f->rows)/
	$freq_c|the last row is not used|s/i == CPUPR_FREQ_OTHER)/i >= CPUPR_FREQ_OTHER - 1)/
	$freq_c|a new row has no frequency|s/f->khz\[i\] = khz;//
	$freq_c|a change moves cycles|/^void cpupr_freqs_change/,/^}/s/f->row = i;/f->row = f->counted = i;/
	$freq_c|a counter does not go round|s/last >> 48 ? 0 : now/last ? 0 : now/
	$freq_c|each counter goes round|s/last >> 48 ? 0 : now/now/
	$freq_c|a counter goes round at 47 bits|s/now + (1ULL << 48) - last/now + (1ULL << 47) - last/
	$freq_c|a quotient that is too much is 0|s/return ~0ULL;/return 0;/
	$freq_c|a quotient that just fits is too much|s/if (rest >= b)/if (rest >= b - 1)/
	$freq_c|a dividend has 64 bits|s/if (!rest \&\& !(b >> 64))/if (!(b >> 64))/
	$freq_c|a divisor has 64 bits|s/if (!rest \&\& !(b >> 64))/if (!rest)/
	$freq_c|a rest has 64 bits|s/^\tunsigned __int128 rest/\tu64 rest/
	$freq_c|the highest bit is left out|s/for (bit = 63; bit/for (bit = 62; bit/
	$freq_c|the lowest bit is left out|s/bit >= 0; bit--/bit > 0; bit--/
	$freq_c|a rest that is the divisor is none|s/if (rest < b)/if (rest <= b)/
	$freq_c|a rest is not taken off|s/^\t\trest -= b;//
	$freq_c|the time for a cycle is 64 bits|s/(unsigned __int128)ns \* khz/(u64)(ns * khz)/
	$freq_c|there is a share of no cycle|s/if (all < 1000000)/if (!all)/
	$freq_c|there is no share of one cycle|s/if (all < 1000000)/if (all <= 1000000)/
	$freq_c|a share is in thousandths|s/10000000000ULL/1000000000ULL/
	$freq_c|cycles are 64 bits|s/(unsigned __int128)cycles \* 10000000000ULL/cycles * 10000000000ULL/
	$freq_c|a frequency is 64 bits|s/(unsigned __int128)cycles \* 1000000,/cycles * 1000000,/
	$freq_c|instructions are 64 bits|s/(unsigned __int128)instructions \* 100/instructions * 100/
	$freq_c|a share of a sum is 64 bits|s/(unsigned __int128)whole \* part\[i\]/whole * part[i]/
	$freq_c|what is left is lost|s/to\[last\] += left;//
	$freq_c|what is left goes to the fallback|s/to\[last\] += left;/to[parts ? fallback : last] += left;/
	$freq_c|what is left goes to the first|s/^\t\tlast = i;/\t\tlast = last == fallback ? i : last;/
	$freq_c|what is left goes to the last of all|s/^\t\tlast = i;/\t\tlast = n - 1;/
	$freq_c|no parts: the first gets it|s/last = fallback;/last = 0;/
	$freq_c|a share overwrites|s/to\[i\] += share;/to[i] = share;/
	$freq_c|the last part is left out of the sum|/^void cpupr_share/,/^}/{0,/i < n/s/i < n/i + 1 < n/}
	$cycles_h|the first look books all|s/c->counting\[kind\] ? cpupr_count_delta/1 ? cpupr_count_delta/
	$cycles_h|a look books nothing|s/c->counting\[kind\] ? cpupr_count_delta/0 ? cpupr_count_delta/
	$cycles_h|a counter does not go round|s/cpupr_count_delta(value, c->last\[kind\])/value - c->last[kind]/
	$cycles_h|a count is the last one|s/count\[kind\]\[category\] += delta/count[kind][category] = delta/
	$cycles_h|a count is user's|s/count\[kind\]\[category\] += delta/count[kind][0] += delta/
	$cycles_h|instructions are cycles|s/count\[kind\]\[category\] += delta/count[0][category] += delta/
	$cycles_h|the total is not kept|s/c->sum.total\[kind\] += delta;//
	$cycles_h|the counter is not remembered|s/c->last\[kind\] = value;//
	$cycles_h|a counter that is there is not known to be|s/c->counting\[kind\] = true;//
	$cycles_h|the time of the first look counts|s/if (counted \&\& /if (/
	$cycles_h|time without a counter counts|s/ \&\& c->counting\[CPUPR_CYCLES\]//
	$cycles_h|time is counted for instructions|s/ \&\& c->counting\[CPUPR_CYCLES\]/ \&\& c->counting[CPUPR_INSTRUCTIONS]/
	$cycles_h|a step back is a long way|s/ \&\& (s64)(now - c->at) > 0)/)/
	$cycles_h|the clock does not go round|s/(s64)(now - c->at) > 0/now > c->at/
	$cycles_h|time is user's|s/time\[category\] += now/time[0] += now/
	$cycles_h|the moment is not moved on|s/^\tc->at = now;\$//
	$hist_h|the first bucket begins at 1|s/return bucket ? 1ULL << bucket : 0;/return 1ULL << bucket;/
	$hist_h|a bucket is 32 bits|s/1ULL << bucket/1U << bucket/
	$hist_h|a span is 32 bits|s/__builtin_clzll(ns | 1)/__builtin_clzll((u32)ns | 1)/
	$task_h|nice is no user code|s/u64 user = l->time\[CPUPR_USER\] + l->time\[CPUPR_NICE\];/u64 user = l->time[CPUPR_USER];/
	$task_h|user time is 32 bits|s/u64 user = l/u32 user = l/
	$task_h|system time is 32 bits|s/u64 system = l/u32 system = l/
	$task_h|irq time is 32 bits|s/u64 irq = l/u32 irq = l/
	$task_h|softirq time is 32 bits|s/u64 softirq = l/u32 softirq = l/
	$task_h|a switch books softirq as irq|s/u64 irq = l->time\[CPUPR_IRQ\]/u64 irq = l->time[CPUPR_SOFTIRQ]/
	$task_h|a switch books irq as softirq|s/u64 softirq = l->time\[CPUPR_SOFTIRQ\]/u64 softirq = l->time[CPUPR_IRQ]/
	$task_h|who leaves gets no user time|s/prev->time\[CPUPR_TASK_USER\] += user;//
	$task_h|who comes gets all user time of before|s/next->time\[CPUPR_TASK_USER\] -= user;//
	$task_h|who leaves gets no system time|s/prev->time\[CPUPR_TASK_SYSTEM\] += system;//
	$task_h|who comes gets all system time of before|s/next->time\[CPUPR_TASK_SYSTEM\] -= system;//
	$task_h|who leaves gets no irq time|s/prev->time\[CPUPR_TASK_IRQ\] += irq;//
	$task_h|who comes gets all irq time of before|s/next->time\[CPUPR_TASK_IRQ\] -= irq;//
	$task_h|who leaves gets no softirq time|s/prev->time\[CPUPR_TASK_SOFTIRQ\] += softirq;//
	$task_h|who comes gets all softirq time of before|s/next->time\[CPUPR_TASK_SOFTIRQ\] -= softirq;//
	$task_h|who comes is where it was|s/WRITE_ONCE(next->cpu, cpu);//
	$task_h|who leaves is moved|s/WRITE_ONCE(next->cpu, cpu);/WRITE_ONCE(prev->cpu, cpu);/
	$task_h|a ledger is always added|/^static.*cpupr_task_ledger(/,/^}/s/(u64)sign \* //
	$task_h|a ledger's nice time is left out|/^static.*cpupr_task_ledger(/,/^}/s/(l->time\[CPUPR_USER\] + l->time\[CPUPR_NICE\])/l->time[CPUPR_USER]/
	$task_h|a ledger's system time is left out|/^static.*cpupr_task_ledger(/,/^}/s/time\[CPUPR_TASK_SYSTEM\] += .*;//
	$task_h|a ledger's irq time is left out|/^static.*cpupr_task_ledger(/,/^}/s/time\[CPUPR_TASK_IRQ\] += .*;//
	$task_h|a ledger's softirq time is left out|/^static.*cpupr_task_ledger(/,/^}/s/time\[CPUPR_TASK_SOFTIRQ\] += .*;//
	$task_h|all tasks are of one chain|s/\* 0x9e3779b97f4a7c15ULL >> t->shift/* 0 >> t->shift/
	$task_h|chains go by 32 bits of an address|s/(u64)(unsigned long)key \*/(u64)(u32)(unsigned long)key */
	$task_h|only the first two of a chain are looked at|/ \*cpupr_task_find(/,/^}/s/while (task/if (task/
	$task_h|who is found may be anybody|s/READ_ONCE(task->key) != key)/0)/
	$task_h|room is what was given|s/return READ_ONCE(t->given) - READ_ONCE(t->taken);/return READ_ONCE(t->given);/
	$task_c|the last record is not free|s/for (i = 0; i < t->count; i++)\$/for (i = 0; i + 1 < t->count; i++)/
	$task_c|one record less is given|s/t->given = t->count;/t->given = t->count - 1;/
	$task_c|a record more than there are is taken|s/if (at == smp_load_acquire(&t->given))/if (at == smp_load_acquire(\&t->given) + 1)/
	$task_c|the last record is kept|s/if (at == smp_load_acquire(&t->given))/if (at + 1 == smp_load_acquire(\&t->given))/
	$task_c|what was given is looked at first|s/unsigned long at = smp_load_acquire(&t->taken);/unsigned long given = smp_load_acquire(\&t->given), at = smp_load_acquire(\&t->taken);/;s/if (at == smp_load_acquire(&t->given))/if (at == given)/
	$task_c|the ring is as long as there are records|s/t->free\[at \& t->mask\]/t->free[at % t->count]/
	$task_c|two take one record|s/if (cmpxchg(&t->taken, at, at + 1) == at)/WRITE_ONCE(t->taken, at + 1);/
	$task_c|a record stands still for any task|s/was != key || //
	$task_c|a record goes on for a task of another start|s/ || READ_ONCE(task->id.start) != start)/)/
	$task_c|a record never goes on|s/if (now || was != key/if (1 || now || was != key/
	$task_c|two go on with one record|s/now = cmpxchg(&task->key, NULL, key);/now = NULL, WRITE_ONCE(task->key, key);/
	$task_c|who comes too late gets another record|s/return !now || now == key;/return !now;/
	$task_c|who comes too late goes on, too|s/\*again = !now;/*again = true;/
	$task_c|who goes on is not told|s/\*again = !now;//
	$task_c|the key is looked at first|/^static notrace bool is_of/,/^}/{/ \*was = smp/d;s/const void \*now = READ_ONCE(task->key);/const void *now = READ_ONCE(task->key), *was = smp_load_acquire(\&task->was);/}
	$task_c|what was not needed is lost|s/\*spare = new;/*spare = NULL;/
	$task_c|nothing is said of what is spare|s/\*spare = NULL;//
	$task_c|each try takes a record|/^\t\tif (!new)\$/{N;s/if (!new)//;s/^\n//}
	$task_c|a new record has the last one's time|s/memset(new->time, 0, sizeof(new->time));//
	$task_c|a new record shows what the last one did|s/memset(new->shown, 0, sizeof(new->shown));//
	$task_c|a new record has the last one's base|s/memset(&new->base, 0, sizeof(new->base));//
	$task_c|a new record has the last one's delay|s/new->delay = 0;//
	$task_c|a new record is in the last one's call|s/new->call = CPUPR_NO_CALL;//
	$task_c|a new record is in a call|s/new->call = CPUPR_NO_CALL;/new->call = 0;/
	$task_c|a new record was the last one's|s/new->was = NULL;//
	$task_c|a new record stands still|s/new->still = false;//
	$task_c|a new record has no key|s/new->key = key;//
	$task_c|a new record cuts its chain off|s/new->chain = head;/new->chain = NULL;/
	$task_c|two new records, the second one is lost|s/if (cmpxchg(slot, head, new) == head)/WRITE_ONCE(*slot, new);/
	$task_c|one comes while the first one goes, and is lost|s/while (cmpxchg(slot, task, task->chain) != task)/while (READ_ONCE(*slot) != task || (WRITE_ONCE(*slot, task->chain), 0))/
	$task_c|who goes takes the rest of the chain along|s/WRITE_ONCE(before->chain, task->chain);/WRITE_ONCE(before->chain, NULL);/
	$task_c|who is not the first stays|s/WRITE_ONCE(before->chain, task->chain);//
	$task_c|the first that goes takes all along|s/cmpxchg(slot, task, task->chain)/cmpxchg(slot, task, NULL)/
	$task_c|a record is given before it is there|/^\tWRITE_ONCE(t->free/d;s/smp_store_release(&t->given, t->given + 1);/&WRITE_ONCE(t->free[(t->given - 1) \& t->mask], (u32)(task - t->task));/
	$task_c|the next record is given|s/(u32)(task - t->task)/(u32)(task - t->task + 1) % t->count/
	$task_c|what is given is not counted|s/smp_store_release(&t->given, t->given + 1);//
	$task_c|the last number of a sum is left out: add|/^void cpupr_task_sum_add/,/^}/s/i < SUMS/i + 1 < SUMS/
	$task_c|the last number of a sum is left out: sub|/^void cpupr_task_sum_sub/,/^}/s/i < SUMS/i + 1 < SUMS/
	$task_c|a sum is what is added|s/+= ((const u64/= ((const u64/
	$task_c|a difference is a sum|s/-= ((const u64/+= ((const u64/
	$call_h|the last number is one beyond|s/nr < CPUPR_CALL_NUMBERS ?/nr < CPUPR_CALL_NUMBERS - 1 ?/
	$call_h|numbers are 32 bits|s/nr < CPUPR_CALL_NUMBERS ?/(unsigned int)nr < CPUPR_CALL_NUMBERS ?/
	$call_h|compat is native|s/slot + CPUPR_CALL_SLOTS : slot/slot : slot/
	$call_h|compat begins at the native others|s/slot + CPUPR_CALL_SLOTS : slot/slot + CPUPR_CALL_NUMBERS : slot/
	$call_h|each call has a new row|s/if (unlikely(!row))\$/if (1)/
	$call_h|calls are not counted|s/cpupr_call_row(b, slot)->count++;/cpupr_call_row(b, slot);/
	$call_h|a task without a record is in a call|s/if (unlikely(!task->key))\$/if (0)/
	$call_h|a task with a record is in no call|s/if (unlikely(!task->key))\$/if (1)/
	$call_h|a call has the ledger's time of before|s/task->call_system = task->time\[CPUPR_TASK_SYSTEM\] + system;/task->call_system = task->time[CPUPR_TASK_SYSTEM];/
	$call_h|a call has the task's time of before|s/task->call_system = task->time\[CPUPR_TASK_SYSTEM\] + system;/task->call_system = system;/
	$call_h|a call goes by the task's user time|s/task->call_system = task->time\[CPUPR_TASK_SYSTEM\] + system;/task->call_system = task->time[CPUPR_TASK_USER] + system;/
	$call_h|a call began before|s/task->call_start = now;//
	$call_h|a call ends without its last interval|s/task->time\[CPUPR_TASK_SYSTEM\] + system - task->call_system/task->time[CPUPR_TASK_SYSTEM] - task->call_system/
	$call_h|a call ends with what came before the task|s/task->time\[CPUPR_TASK_SYSTEM\] + system - task->call_system/system - task->call_system/
	$call_h|another CPU's clock is trusted|s/if (unlikely((s64)(wall - cpu) < 0))/if (0)/
	$call_h|only a clock behind the call is not trusted|s/(s64)(wall - cpu) < 0/(s64)wall < 0/
	$call_h|a clock behind the call is far ahead|s/(s64)(wall - cpu) < 0/wall < cpu/
	$call_h|a call lasts as long as it runs|s/if (unlikely((s64)(wall - cpu) < 0))/if (1)/
	$call_h|a call ends more than once|s/task->call = CPUPR_NO_CALL;//
	$call_h|time in the kernel is not summed up|s/row->cpu += cpu;/row->cpu = cpu;/
	$call_h|time to the end is not summed up|s/row->wall += wall;/row->wall = wall;/
	$call_h|time to the end is that in the kernel|s/row->wall += wall;/row->wall += cpu;/
	$call_h|the last is the longest|s/if (unlikely(wall > row->max))/if (1)/
	$call_h|the first is the longest|s/if (unlikely(wall > row->max))/if (!row->max)/
	$call_h|the longest is by time in the kernel|s/row->max = wall;/row->max = cpu;/
	$call_h|buckets are of ticks: cpu|s/mul_u64_u64_shr(cpu, scale, shift)/cpu/
	$call_h|buckets are of ticks: wall|s/mul_u64_u64_shr(wall, scale, shift)/wall/
	$call_h|ns have 64 bits before the shift: cpu|s/mul_u64_u64_shr(cpu, scale, shift)/cpu * scale >> shift/
	$call_h|ns have 64 bits before the shift: wall|s/mul_u64_u64_shr(wall, scale, shift)/wall * scale >> shift/
	$call_h|the histograms are one: cpu|s/row->cpu_hist\[/row->wall_hist[/
	$call_h|the histograms are one: wall|s/row->wall_hist\[/row->cpu_hist[/
	$cgroup_c|any group below is the group|s/row->id == id/row->id <= id/
	$cgroup_c|groups of one hash find no second row|s/(id + i) %/(id) %/
	$cgroup_c|nobody's slice is booked|s/if (!id)/if (0)/
	$cgroup_c|waits of all slices|s/delay - b->delay/delay/
	$cgroup_c|all that the ledger ever had|s/- b->mark\[i\]//
	$cgroup_c|the mark adds up|s/memset(b->mark, 0, sizeof(b->mark));//
	$cgroup_c|a mark is more than the ledger has|s/b->mark\[i\] = min(\(.*\), time\[i\]);/b->mark[i] = \1;/
	$cgroup_c|rows stay in old ticks|s/b->row\[row\].time\[i\] = mul.*/;/
	$cgroup_c|a row is never taken|s/if (!row->id)/if (0)/
	$call_c|compat has no others|s/b->used < CPUPR_CALL_ABIS; b->used++)/b->used < 1; b->used++)/
	$call_c|the others of the ABIs are one|s/= &b->row\[b->used\];/= \&b->row[0];/
	$call_c|what finds no row is native|s/&b->row\[slot \/ CPUPR_CALL_SLOTS\];/\&b->row[0];/
	$call_c|the last row is not used|s/if (b->used < CPUPR_CALL_ROWS)/if (b->used < CPUPR_CALL_ROWS - 1)/
	$call_c|all rows are one|s/&b->row\[b->used++\]/\&b->row[b->used]/
	$call_c|no row is left from the start|s/if (b->used < CPUPR_CALL_ROWS)/if (0)/
	$call_c|a row is not found again|s/b->row_of\[slot\] = row;//
	$call_c|what has no row has one|s/return row \&\& (/return (/
	$call_c|the others have no row|s/slot % CPUPR_CALL_SLOTS == CPUPR_CALL_OTHER ||/0 ||/
	$call_c|what is counted under others has a row|s/row != &b->row\[slot \/ CPUPR_CALL_SLOTS\])/1)/
	$call_c|compat calls under others have a row|s/row != &b->row\[slot \/ CPUPR_CALL_SLOTS\])/row != \&b->row[0])/
	$call_c|the last bucket is left out: add|/^void cpupr_call_rows_add/,/^}/s/i < NUMBERS/i + 1 < NUMBERS/
	$call_c|the longest is a sum: add|/^void cpupr_call_rows_add/,/^}/s/to->max = max;//
	$call_c|the last bucket is left out: sub|/^void cpupr_call_rows_sub/,/^}/s/i < NUMBERS/i + 1 < NUMBERS/
	$call_c|the longest is a sum: sub|/^void cpupr_call_rows_sub/,/^}/s/to->max = max;//
	$call_c|the longest of the first CPU|s/to->max > from->max ? to->max : from->max/to->max/
	$call_c|the longest of the last CPU|s/to->max > from->max ? to->max : from->max/from->max/
	$call_c|the shortest of all|s/to->max > from->max/to->max < from->max/
	$call_c|a sum is what is added|s/+= ((const u64/= ((const u64/
	$call_c|a difference is a sum|s/-= ((const u64/+= ((const u64/
	$stack_set_c|the hash is enough|s/ \&\& same_content(&entry->stack, stack)//
	$stack_set_c|frames are not compared|s/memcmp(a, b, bytes)/memcmp(a, b, sizeof(*a))/
	$stack_set_c|the last frame is not hashed|s/i < bytes; i += /i + 8 < bytes; i += /
	$stack_set_c|a hash that is a sum|s/^\t\thash ^= hash >> 32;$//;s/(hash ^ word) \* .*/hash + word;/
	$stack_set_c|a faster one of the same stack is not seen|s/other = look(.*);/other = NULL;/
	$stack_set_c|what is in front is dropped|s/if (cmpxchg(head, first, place) == first)/WRITE_ONCE(*head, place);/
	$stack_set_c|what was taken in vain is kept|s/give_piece(set, place, bytes);//
	$stack_set_c|what was taken in vain is given back with what is behind|s/cmpxchg(&set->last, before + bytes, before);/set->last = before;/
	$stack_set_c|more is given back|s/cmpxchg(&set->last, before + bytes, before);/cmpxchg(\&set->last, before + bytes, before - 8);/
	$stack_set_c|a new stack is not counted|s/atomic64_set(&entry->count, 1);/atomic64_set(\&entry->count, 0);/
	$stack_set_c|a new entry has the spans of another|s/atomic64_set(&entry->spans, 0);//
	$stack_set_c|a new entry has the time of another|s/atomic64_set(&entry->time, 0);//
	$stack_set_c|the slower one is not counted|s/atomic64_inc(&other->count);//
	$stack_set_c|two count once|s/atomic64_inc(&entry->count);/atomic64_set(\&entry->count, atomic64_read(\&entry->count) + 1);/
	$stack_set_c|not all is copied|s/^\t       cpupr_stack_bytes(stack));/\t       sizeof(*stack));/
	$stack_set_c|a chunk in vain is kept|/ u32 take_piece(/,/^}/s/clear_bit_unlock(.*);/;/
	$stack_set_c|a chunk of two sets|s/!test_and_set_bit(chunk, pool->taken)/(set_bit(chunk, pool->taken), 1)/
	$stack_set_c|a chunk after a word of taken ones is passed by|s/chunk |= BITS_PER_LONG - 1/chunk |= BITS_PER_LONG/
	$stack_set_c|a chunk more than there are|/ take_chunk(/,/^}/s/chunk < pool->chunks/chunk <= pool->chunks/
	$stack_set_c|a chunk less than there are|/ take_chunk(/,/^}/s/chunk < pool->chunks/chunk + 1 < pool->chunks/
	$stack_set_c|a set has its chunks for ever|s/set_bit(chunk, set->owned);//
	$stack_set_c|a piece of two|s/if (cmpxchg(&set->last, last, last + bytes) == last)/WRITE_ONCE(set->last, last + bytes);/
	$stack_set_c|a chunk is not filled up|s/used + bytes <= CPUPR/used + bytes < CPUPR/
	$stack_set_c|a piece goes over the end|s/used + bytes <= CPUPR_STACK_CHUNK/used + bytes <= CPUPR_STACK_CHUNK + 8/
	$stack_set_c|the chunk that another CPU got is not seen|s/else if (READ_ONCE(set->last) == last)/else/
	$stack_set_c|place 0 is used|s/^#define FIRST.*/#define FIRST 0/
	$stack_set_c|a chain ends at its first stack: look|s/place = entry->next;/place = end;/
	$stack_set_c|a chain ends at its first stack: next|s/after ? after->next : 0/0/
	$stack_set_c|the last chain is not read|s/\*chain < CPUPR_STACK_HEADS/*chain + 1 < CPUPR_STACK_HEADS/
	$stack_set_c|others' chunks are given back|/^void cpupr_stack_set_clear/,/^}/s/if (!test_bit(chunk, set->owned))/if (0)/
	$stack_set_c|no chunks are given back|/^void cpupr_stack_set_clear/,/^}/s/clear_bit_unlock(.*);//
	$stack_set_c|chunks that were given back are still of the set|/^void cpupr_stack_set_clear/,/^}/s/clear_bit(.*);//
	$stack_set_c|a cleared set goes on in its chunk|s/^\tset->last = 0;//
	$stack_set_c|a cleared set has chains|/^void cpupr_stack_set_clear/,/^}/s/memset(.*);//
	$stack_set_c|a span is not counted|s/atomic64_inc(&entry->spans);//
	$stack_set_c|a span has no time|s/atomic64_add(ns, &entry->time);//
	$stack_set_c|spans of two CPUs are one|s/atomic64_add(ns, &entry->time);/atomic64_set(\&entry->time, atomic64_read(\&entry->time) + ns);/
	$stack_set_c|chunks are bytes|s/used += CPUPR_STACK_CHUNK;/used++;/
	$irq_h|a key is not looked at|s/if (likely(READ_ONCE(row->key) == key))/if (1)/
	$irq_h|vectors are told apart by their high bits|s/vector % CPUPR_IRQ_VECTORS/vector \/ 8 % CPUPR_IRQ_VECTORS/
	$irq_h|an interrupt is not counted|s/row->count++;//
	$irq_h|times are not summed up|s/row->time += ticks;/row->time = ticks;/
	$irq_h|the last interrupt is the longest|s/if (unlikely(ticks > row->max))/if (1)/
	$irq_h|the first interrupt is the longest|s/if (unlikely(ticks > row->max))/if (!row->max)/
	$irq_h|buckets are of ticks|s/mul_u64_u64_shr(ticks, scale, shift)/ticks/
	$irq_h|ns have 64 bits before the shift|s/mul_u64_u64_shr(ticks, scale, shift)/ticks * scale >> shift/
	$irq_h|the first interrupt inside of another is alone|s/if (unlikely(l->at.irq > 1))/if (l->at.irq > 2)/
	$irq_h|an interrupt that is alone has one around it|s/if (unlikely(l->at.irq > 1))/if (1)/
	$irq_h|an interrupt is the last one still|s/b->top = row;//
	$irq_h|an interrupt has what the ones before had|s/b->from += \*took;//
	$irq_h|nobody goes on|s/if (unlikely(l->at.irq))/if (0)/
	$irq_h|a softirq waits since it was last raised|s/if (!\*raised)/if (1)/
	$irq_h|all softirqs are raised|s/b->softirq\[number % CPUPR_SOFTIRQS\].raised;/b->softirq[0].raised;/
	$irq_h|it is not known which softirq runs|s/b->softirq_top = (s32)number;//
	$irq_h|a softirq stays raised|s/s->raised = 0;//
	$irq_h|a softirq is raised since ever|s/!raised || //
	$irq_h|a step back is a delay|s/ || (s64)delay < 0//
	$irq_h|no delay is none|s/(s64)delay < 0/(s64)delay <= 0/
	$irq_h|a delay is not counted|s/s->delays++;//
	$irq_h|delays are not summed up|s/s->delay += delay;/s->delay = delay;/
	$irq_h|the last delay is the longest|s/if (delay > s->delay_max)/if (1)/
	$irq_h|the first delay is the longest|s/if (delay > s->delay_max)/if (!s->delay_max)/
	$irq_h|buckets of delays are of ticks|s/mul_u64_u64_shr(delay, scale, shift)/delay/
	$irq_h|ns of delays have 64 bits before the shift|s/mul_u64_u64_shr(delay, scale, shift)/delay * scale >> shift/
	$irq_h|a delay is in the buckets of times|s/s->delay_hist\[/s->row.hist[/
	$irq_h|a softirq has what the ones before had|s/b->softirq_from += \*took;//
	$irq_h|ksoftirqd runs all|s/if (unlikely(daemon))/if (1)/
	$irq_h|ksoftirqd runs none|s/if (unlikely(daemon))/if (0)/
	$irq_h|what ksoftirqd runs is not summed up|s/s->daemon += \*took;/s->daemon = *took;/
	$irq_h|softirqs are one|s/cpupr_irq_row_add(&s->row,/cpupr_irq_row_add(\&b->softirq[0].row,/
	$irq_h|all is stolen by one softirq|s/return &s->row;/return \&b->softirq[0].row;/
	$irq_c|a row has no kind|s/row->kind = kind;//
	$irq_c|a row has no number|s/row->number = number;//
	$irq_c|a row begins with a victim|s/row->victim = CPUPR_THEFT_NONE;//
	$irq_c|the last vector is no row|s/i = 0; i < CPUPR_IRQ_VECTORS; i++/i = 0; i < CPUPR_IRQ_VECTORS - 1; i++/
	$irq_c|other is a line|s/init_row(&b->other, CPUPR_IRQ_OTHER, -1);//
	$irq_c|lines have vectors' rows|s/b->used = CPUPR_IRQ_VECTORS;/b->used = 0;/
	$irq_c|what goes on has the last one's name|/^void cpupr_irqs_open/,/^}/s/b->top = &b->other;/if (!b->top) &/
	$irq_c|what was not booked is the first one's|/^void cpupr_irqs_open/,/^}/s/b->from = .*//
	$irq_c|what was not booked is the first softirq's|/^void cpupr_irqs_open/,/^}/s/b->softirq_from = .*//
	$irq_c|the last softirq that was seen goes on|/^void cpupr_irqs_open/,/^}/s/b->softirq_top = -1;//
	$irq_c|what is interrupted has the last one's name|/^void cpupr_irqs_open/,/^}/s/b->outer\[i\] = /if (!b->outer[i].row) &/
	$irq_c|a softirq waits since it was not booked|/^void cpupr_softirq_delays_open/,/^}/s/b->softirq\[i\].raised = 0;/;/
	$irq_c|names are compared beyond what fits|s/strncmp(row->name, name, CPUPR_IRQ_NAME - 1)/strncmp(row->name, name, CPUPR_IRQ_NAME)/
	$irq_c|the last byte of names is not compared|s/strncmp(row->name, name, CPUPR_IRQ_NAME - 1)/strncmp(row->name, name, CPUPR_IRQ_NAME - 2)/
	$irq_c|lines and IPIs are one|s/row->kind == (u32)kind \&\& //
	$irq_c|lines of one name are one|s/row->number == number \&\& //
	$irq_c|handlers of one line are one|s/ \&\& is_named(row, name)//
	$irq_c|the last row is not used|s/if (b->used == CPUPR_IRQ_ROWS)/if (b->used == CPUPR_IRQ_ROWS - 1)/
	$irq_c|names are cut too early|s/i < CPUPR_IRQ_NAME - 1/i < CPUPR_IRQ_NAME - 2/
	$irq_c|names are cut too late|s/i < CPUPR_IRQ_NAME - 1/i < CPUPR_IRQ_NAME/
	$irq_c|a new row is no row yet|s/smp_store_release(&b->used, b->used + 1);//
	$irq_c|what has no name has an empty one|s/name ?: "(null)"/name ?: ""/
	$irq_c|a row does not know its key|s/WRITE_ONCE(row->key, key);//
	$irq_c|a row is looked for each time|s/b->slot\[cpupr_irq_slot(key)\] = row;//
	$irq_c|no handler goes|s/WRITE_ONCE(b->row\[i\].key, NULL);/;/
	$irq_c|the first handler does not go|/cpupr_irqs_forget(/,/^}/s/i = CPUPR_IRQ_VECTORS;/i = CPUPR_IRQ_VECTORS + 1;/
	$irq_c|the last handler does not go|/cpupr_irqs_forget(/,/^}/s/i < used/i + 1 < used/
	$irq_c|what is interrupted is one further out|s/l->at.irq - 2u/l->at.irq - 1u/
	$irq_c|what is interrupted has not its time yet|s/b->top->time += ticks;//
	$irq_c|what is interrupted has no time|/cpupr_irq_nested(/,/^}/s/{ b->top, ticks }/{ b->top, 0 }/
	$irq_c|an interrupt inside has the time of the one around it|s/b->from += ticks;//
	$irq_c|one less is known to go on|/cpupr_irq_nested(/,/^}/s/outer < CPUPR_IRQ_NEST/outer < CPUPR_IRQ_NEST - 1/
	$irq_c|one more is known to go on|/cpupr_irq_nested(/,/^}/s/outer < CPUPR_IRQ_NEST/outer <= CPUPR_IRQ_NEST/
	$irq_c|the outermost one goes on|s/&b->outer\[outer\] : &none/\&b->outer[0] : \&none/
	$irq_c|who goes on is not known|s/b->top = o->row;//
	$irq_c|who goes on begins anew|s/b->from -= o->ticks;//
	$irq_c|who goes on has its time twice|s/o->row->time -= o->ticks;//
	$irq_c|what is over is open|s/if (l->at.irq \&\& row == b->top)/if (row == b->top)/
	$irq_c|a softirq that is over is open|s/if (l->at.softirq \&\& row->kind/if (row->kind/
	$irq_c|all rows are open|s/if (l->at.irq \&\& row == b->top)/if (l->at.irq)/
	$irq_c|all softirqs are open|s/ \&\& row->number == b->softirq_top)/)/
	$irq_c|a line's row is open with the softirq of its number|s/row->kind == CPUPR_IRQ_SOFTIRQ \&\& //
	$irq_c|no softirq is open|s/if (l->at.softirq \&\& row->kind/if (0 \&\& row->kind/
	$irq_c|rescale leaves times|s/row->time = mul_u64_u32_shr(row->time, mult, shift);//
	$irq_c|rescale leaves the longest|s/row->max = mul_u64_u32_shr(row->max, mult, shift);//
	$irq_c|rescale leaves the last row|s/i = 0; i < b->used; i++/i = 0; i + 1 < b->used; i++/
	$irq_c|rescale leaves other|s/rescale_row(&b->other, mult, shift);//
	$irq_c|rescale leaves softirqs|s/rescale_row(&s->row, mult, shift);//
	$irq_c|rescale leaves ksoftirqd's share|s/s->daemon = mul_u64_u32_shr(s->daemon, mult, shift);//
	$irq_c|rescale leaves delays|s/s->delay = mul_u64_u32_shr(s->delay, mult, shift);//
	$irq_c|rescale leaves the longest delay|s/s->delay_max = mul_u64_u32_shr(s->delay_max, mult, shift);//
	$irq_c|rescale raises all softirqs|s/if (s->raised)/if (1)/
	$irq_c|rescale leaves raises|s/if (s->raised)/if (0)/
	$irq_c|rescale forgets how long a softirq waited|s/s->raised = local - .*/s->raised = local;/
	$irq_c|rescale lets a softirq wait in old ticks|s/s->raised = local - .*/s->raised = local - (waited > 0 ? (u64)waited : 0);/
	$irq_c|rescale lets a softirq wait since a step back|s/waited > 0 ? (u64)waited : 0/(u64)waited/
	$irq_c|rescale leaves where an interrupt began|s/b->from = mul_u64_u32_shr(b->from, mult, shift);//
	$irq_c|rescale leaves where a softirq began|s/b->softirq_from = mul_u64_u32_shr(b->softirq_from, mult, shift);//
	$irq_c|rescale leaves what is interrupted|s/b->outer\[i\].ticks = mul_u64_u32_shr(b->outer\[i\].ticks, mult, shift);/;/
	$irq_c|a whole that fell adds 2^64|s/total -= min(total, shown\[i\]);/total -= shown[i];/
	$irq_c|a part falls|s/target\[i\] > shown\[i\] ? target\[i\] - shown\[i\] : 0/target[i] - shown[i]/
	$irq_c|parts are more than the whole|s/more = min(more, total);//
	$irq_c|each part has all that is left|s/total -= more;//
	$irq_c|parts are less than the whole|s/shown\[most\] += total;//
	$irq_c|what is left over is the first part's|s/most = i;/;/
	$irq_c|what is left over is the last part's|s/if (target\[i\] > target\[most\])/if (1)/
	$irq_c|what is left over is that of the last of two that are as large|s/if (target\[i\] > target\[most\])/if (target[i] >= target[most])/
	$irq_c|what is left over is the part's that was shown the largest|s/if (target\[i\] > target\[most\])/if (shown[i] > shown[most])/
	$theft_c|all pairs are in one set|s/>> 32) % CPUPR_THEFT_SETS/>> 32) % 1/
	$theft_c|victims of one interrupt are in one set|s/((victim + (/(((/
	$theft_c|one without time is free|s/if (!p->row)/if (!p->time)/
	$theft_c|one is evicted while there is room|s/if (!p->row)/if (0)/
	$theft_c|the largest pair goes|s/if (p->time < best->time)/if (p->time > best->time)/
	$theft_c|the first pair goes|s/if (p->time < best->time)/if (0)/
	$theft_c|the last way of a set is not used|/least(/,/^}/s/p < set + CPUPR_THEFT_WAYS/p < set + CPUPR_THEFT_WAYS - 1/
	$theft_c|the last way of a set is not found|/cpupr_theft_find(/,/^}/s/p < set + CPUPR_THEFT_WAYS/p < set + CPUPR_THEFT_WAYS - 1/
	$theft_c|an eviction is not counted|s/t->evicted++;//
	$theft_c|what was evicted has no count|s/t->evicted_count += p->count;//
	$theft_c|what was evicted has no time|s/t->evicted_time += p->time;//
	$theft_c|what was evicted is at hand still|s/if (p->row->pair == p)/if (0)/
	$theft_c|another pair is at hand no longer|s/if (p->row->pair == p)/if (1)/
	$theft_c|nobody is a task|s/if (victim == CPUPR_THEFT_IDLE)/if (0)/
	$theft_c|interrupts of one victim are one|s/p->row == row \&\& //
	$theft_c|victims of one interrupt are one|s/ \&\& p->victim == victim//
	$theft_c|what made room is not evicted|s/^\tif (p->row)$/\tif (0)/
	$theft_c|pairs are not numbered|s/, .born = ++t->born//
	$theft_c|a new pair has what the evicted one had|s/\*p = (struct cpupr_theft_pair){ .row = row, .victim = victim, .born = ++t->born };/p->row = row; p->victim = victim; p->born = ++t->born;/
	$theft_c|rescale leaves the last pair|s/i < CPUPR_THEFT_PAIRS/i < CPUPR_THEFT_PAIRS - 1/
	$theft_c|rescale leaves nobody's|s/t->idle.time = .*//
	$theft_c|rescale leaves what was evicted|s/t->evicted_time = .*//
	EOT
}

# Without sanitizers: each mutant has to be wrong, not only undefined.
# Tests of other parts of the pure layer are left out.
build_and_check() {
	case $1 in
	"$sleepers_c") tests="sleepers sleepers_race" ;;
	"$idle_h" | "$idle_c") tests="idle_vectors idle_fuzz" ;;
	"$piece_h" | "$event_c") tests="event_vectors event_fuzz" ;;
	"$trigger_c") tests="trigger_vectors trigger_fuzz" ;;
	"$freq_c") tests="freq_vectors freq_fuzz" ;;
	"$cycles_h") tests="cycles_vectors" ;;
	"$hist_h") tests="hist_vectors" ;;
	"$task_h" | "$task_c") tests="task_vectors task_fuzz task_table_fuzz task_table_race" ;;
	"$call_h" | "$call_c") tests="call_vectors task_fuzz" ;;
	"$cgroup_c") tests=cgroup_vectors ;;
	"$stack_set_c") tests="stack_set_vectors stack_set_fuzz stack_set_race" ;;
	"$irq_h" | "$irq_c") tests="irq_vectors irq_fuzz" ;;
	"$theft_c") tests="theft_vectors irq_fuzz" ;;
	*) tests="ledger_vectors ledger_edges ledger_fuzz" ;;
	esac
	set -- SRC="$work" B="$work/out" SANITIZE= RACE= WARNINGS= tests="$tests" scripts=
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
unbroken=yes
for file in "$ledger_c" "$sleepers_c" "$idle_c" "$event_c" "$trigger_c" "$freq_c" "$cycles_h" "$hist_h" \
	"$task_c" "$call_c" "$stack_set_c" "$irq_c" "$theft_c"; do
	build_and_check "$file" || { unbroken=; break; }
done
if [ "$unbroken" ]; then
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
