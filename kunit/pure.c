// SPDX-License-Identifier: GPL-2.0-only
/*
 * The code under test, unchanged and apart from the module that uses it.
 */
#include "../module/ledger/call_table.c"
#include "../module/ledger/cgroup_table.c"
#include "../module/ledger/event.c"
#include "../module/ledger/freq.c"
#include "../module/ledger/idle_state.c"
#include "../module/ledger/irq_table.c"
#include "../module/ledger/ledger.c"
#include "../module/ledger/sleepers.c"
#include "../module/ledger/stack_set.c"
#include "../module/ledger/task_table.c"
#include "../module/ledger/theft_table.c"
#include "../module/ledger/trigger.c"
