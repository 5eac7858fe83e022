// SPDX-License-Identifier: GPL-2.0-only
/*
 * Idle states of a real driver under a mixed load: what the module has counted is
 * what the kernel has, to the last stay, for each CPU and state.
 *
 * A stay that is lost, doubled or booked under the wrong state shows here, as does
 * a state's number taken for another one's: the kernel's own idle paths go by 0
 * and 1, too. Half-way the deepest state of the last CPU is disabled: its rows must
 * not be mixed up with those of the other CPUs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "idle.h"
#include "load.h"
#include "machine.h"

#define PATIENCE (120 * NSEC_PER_SEC)

static struct idle_shot first, half, last;

/* A driver that enters what it is asked for: requested says the same as usage. */
static bool requested_is_usage(const struct idle_rows *books)
{
	unsigned int i;

	for (i = 0; i < books->rows; i++) {
		const struct idle_state *row = &books->row[i];

		if (row->state < 0 || row->value[IDLE_REQUESTED] == row->value[IDLE_USAGE])
			continue;
		ksft_print_msg("CPU %d, state %d: requested %" PRIu64 ", usage %" PRIu64 "\n", row->cpu,
			       row->state, row->value[IDLE_REQUESTED], row->value[IDLE_USAGE]);
		return false;
	}
	return true;
}

int main(void)
{
	const struct idle_state *off;
	uint64_t stays, still, others, elsewhere, wanted = 100000;
	void (*work)(void) = load_mixed;
	int cpu, deepest = 0;
	char driver[32];
	pid_t load;

	idle_require();
	cpu = cpus_online() - 1;
	idle_read_sysfs(&first.sysfs);
	while (idle_find(&first.sysfs, cpu, deepest + 1, NULL))
		deepest++;
	off = idle_find(&first.sysfs, cpu, deepest, NULL);
	if (!deepest)
		ksft_exit_skip("needs an idle driver with two states at least\n");
	/*
	 * Where halting is true, stays are as long as the naps; and in the VM that
	 * counts instructions one at a time is all there is.
	 */
	if (!file_read("/sys/devices/system/cpu/cpuidle/current_driver", driver, sizeof(driver)) ||
	    strcmp(driver, "acpi_idle"))
		wanted = 20000;
	if (is_icount()) {
		wanted = 20000;
		work = load_naps;
	}
	ksft_print_header();
	ksft_set_plan(11);

	idle_take_held(&first);
	load = load_start(work, -1);
	idle_wait(wanted / 2, PATIENCE);
	/* Who reads sysfs runs: the choice that was made before may still be entered. */
	idle_disable(cpu, off->name, true);
	idle_take_held(&half);
	idle_wait(wanted / 2, PATIENCE);
	idle_take_held(&last);
	load_stop(load);

	stays = idle_delta(&first, &last, IDLE_ANY, IDLE_ANY, IDLE_USAGE);
	ksft_test_result(stays >= wanted, "%" PRIu64 " stays in %" PRIu64 " s\n", stays,
			 (last.before - first.before) / NSEC_PER_SEC);
	ksft_test_result(idle_passes(idle_check_counts(&first, &half)),
			 "usage, rejected, above, below as in sysfs\n");
	ksft_test_result(idle_passes(idle_check_counts(&half, &last)),
			 "with a state disabled on one CPU, too\n");
	ksft_test_result(idle_passes(idle_check_time(&first, &half)) &
			 idle_passes(idle_check_time(&half, &last)), "time as in sysfs\n");
	ksft_test_result(requested_is_usage(&last.books), "requested is usage\n");
	ksft_test_result(idle_passes(idle_check_names(&last)), "names and latencies as in sysfs\n");
	ksft_test_result(idle_passes(idle_check_histogram(&last)) &
			 idle_passes(idle_check_growth(&first, &last)), "the histograms add up\n");
	ksft_test_result(idle_passes(idle_check_causes(&last)), "the causes add up\n");
	ksft_test_result(idle_passes(idle_check_bounds(&last)),
			 "less, more and cost_pct fit histogram and latencies\n");
	ksft_test_result(idle_passes(idle_check_after(&first.books, &half.books)) &
			 idle_passes(idle_check_after(&half.books, &last.books)), "nothing decreases\n");

	still = idle_delta(&half, &last, cpu, off->state, IDLE_USAGE);
	others = idle_delta(&half, &last, cpu, IDLE_ANY, IDLE_USAGE);
	elsewhere = idle_delta(&half, &last, IDLE_ANY, off->state, IDLE_USAGE) - still;
	ksft_test_result(!still && others && (elsewhere || !cpu),
			 "%s, disabled on CPU %d: %" PRIu64 " stays there, %" PRIu64
			 " in other states, %" PRIu64 " on other CPUs\n", off->name, cpu, still, others,
			 elsewhere);
	ksft_finished();
}
