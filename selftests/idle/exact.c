// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time in idle states, where nothing but instructions passes time: within 1 us
 * a stay and 0.1 % of the kernel's own.
 *
 * Elsewhere an emulator may stretch what lies between the module's looks at the
 * clock and the kernel's, and the bounds are wider (idle_check_time()). Here a stay
 * that begins or ends at a wrong event shows, as does a clock read twice. With the
 * machine's own driver, or with one that halts.
 */
#include <inttypes.h>
#include <string.h>

#include "kselftest.h"

#include "idle.h"
#include "load.h"
#include "machine.h"
#include "module.h"

#define DRIVER	"idle_driver"
#define STATES	"enter=poll,halt,halt name=POLL,HALT,DEEP latency_us=0,2,50 residency_us=0,4,200"
#define STAYS	3000

static struct idle_shot first, last;

int main(void)
{
	char driver[32] = "none";
	uint64_t stays;
	bool own;
	pid_t load;

	idle_require();
	require_icount();
	file_read("/sys/devices/system/cpu/cpuidle/current_driver", driver, sizeof(driver));
	own = strcmp(driver, "none");
	ksft_print_header();
	ksft_set_plan(4);
	if (!own)
		module_beside_load(DRIVER, STATES);
	idle_take_held(&first);
	load = load_start(load_naps, -1);
	idle_wait(STAYS, 10 * NSEC_PER_SEC);
	load_stop(load);
	idle_take_held(&last);
	if (!own)
		module_beside_unload(DRIVER);

	stays = idle_delta(&first, &last, IDLE_ANY, IDLE_ANY, IDLE_USAGE);
	ksft_test_result(stays >= STAYS, "%" PRIu64 " stays, %s\n", stays,
			 own ? driver : DRIVER);
	ksft_test_result(idle_passes(idle_check_counts(&first, &last)), "usage, rejected, above, below as in sysfs\n");
	ksft_test_result(idle_passes(idle_check_time(&first, &last)), "time as in sysfs, within 1 us a stay and 0.1 %%\n");
	ksft_test_result(idle_passes(idle_check_histogram(&last)) & idle_passes(idle_check_causes(&last)),
			 "histogram and causes add up\n");
	ksft_finished();
}
