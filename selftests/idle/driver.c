// SPDX-License-Identifier: GPL-2.0-only
/*
 * Idle drivers of all kinds: names to escape, times of zero and in any order, as
 * many states as there can be, entries that end in another state or not at all;
 * and what happens to the books when drivers, states, CPUs, the collector and the
 * epoch come and go.
 *
 * After each the module has counted what the kernel has, to the last stay: what
 * it took for granted of a driver, or forgot to look at again, would show here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "idle.h"
#include "load.h"
#include "machine.h"
#include "module.h"

#define DRIVER	"idle_driver"
#define PLAIN	"enter=poll,halt,halt name=POLL,HALT,DEEP latency_us=0,2,50 residency_us=0,4,200"
#define STAYS	2000
#define PATIENCE (4 * NSEC_PER_SEC)

static struct idle_shot a, b, c;
static pid_t load;

static void work(void)
{
	idle_wait(STAYS, PATIENCE);
}

/* Loads both, the driver first where @driver_first, and takes the first shot. */
static void begin(const char *driver, bool driver_first)
{
	if (driver_first)
		module_beside_load(DRIVER, driver);
	module_load("");
	if (!driver_first)
		module_beside_load(DRIVER, driver);
	load = load_start(load_naps, -1);
	idle_take_held(&a);
}

static void end(bool driver_is_loaded)
{
	load_stop(load);
	module_unload();
	if (driver_is_loaded)
		module_beside_unload(DRIVER);
}

/* All that holds between two shots with the same driver. */
static bool same(const struct idle_shot *from, const struct idle_shot *to)
{
	return idle_passes(idle_check_counts(from, to)) & idle_passes(idle_check_time(from, to)) &
		idle_passes(idle_check_growth(from, to)) &
		idle_passes(idle_check_after(&from->books, &to->books)) & idle_passes(idle_check(to));
}

static uint64_t total(const struct idle_shot *from, const struct idle_shot *to, int state,
		      enum idle_field field)
{
	return idle_delta(from, to, IDLE_ANY, state, field);
}

/* How many different states were entered. */
static unsigned int states_used(void)
{
	unsigned int state, used = 0;

	for (state = 0; state < 10; state++)
		used += total(&a, &b, state, IDLE_USAGE) > 0;
	return used;
}

/* One driver under load. @least: that many different states are to be entered. */
static bool runs(const char *driver, bool driver_first, unsigned int least)
{
	bool ok;

	begin(driver, driver_first);
	work();
	idle_take_held(&b);
	ok = same(&a, &b) & idle_passes(idle_check_bounds(&b));
	end(true);
	if (states_used() < least) {
		ksft_print_msg("%u states were entered, should be %u\n", states_used(), least);
		return false;
	}
	return ok;
}

static void names(void)
{
	static char text[65536];
	bool ok;

	/* The quotes are the kernel's, for parameters with blanks. */
	begin("enter=halt,halt,halt name=\"C 1\\x,\t#\\134,-\" residency_us=0,5,50", false);
	work();
	idle_take_held(&b);
	file_read_all(BOOK_DEBUGFS "idle_states", text, sizeof(text));
	ok = same(&a, &b);
	ok &= strstr(text, "0 C\\0401\\134x ") && strstr(text, "1 \\011#\\134134 ");
	end(true);
	ksft_test_result(ok, "a blank, a tab and a backslash in a name\n");
}

/* Asked for S1 it enters S2, asked for S3 it enters S0. */
static void entered_other(void)
{
	uint64_t requested[4], usage[4];
	unsigned int i;
	bool ok = true;

	begin("enter=halt,2,halt,0 latency_us=0,1,20,50 residency_us=0,2,100,1000", false);
	work();
	idle_take_held(&b);
	ok &= same(&a, &b);
	for (i = 0; i < ARRAY_SIZE(usage); i++) {
		requested[i] = total(&a, &b, i, IDLE_REQUESTED);
		usage[i] = total(&a, &b, i, IDLE_USAGE);
		ksft_print_msg("S%u: requested %" PRIu64 " times, entered %" PRIu64 "\n", i, requested[i],
			       usage[i]);
	}
	ksft_test_result(ok && requested[3] && usage[0] == requested[0] + requested[3] &&
			 usage[2] == requested[2] + requested[1] && !usage[1] && !usage[3],
			 "another state entered than asked for\n");
	end(true);
}

static void rejects(void)
{
	uint64_t rejected;

	begin("enter=halt,halt latency_us=0,5 residency_us=0,50 reject=3,2", false);
	work();
	idle_take_held(&b);
	rejected = total(&a, &b, IDLE_ANY, IDLE_REJECTED);
	ksft_test_result(same(&a, &b) && rejected, "rejected %" PRIu64 " times, %" PRIu64 " stays\n",
			 rejected, total(&a, &b, IDLE_ANY, IDLE_USAGE));
	end(true);
}

/* The driver goes, and another one comes, whose states have other names. */
static void drivers_change(void)
{
	static struct idle_shot gone;
	bool ok, on, kept = true;
	unsigned int i, f;

	begin(PLAIN, false);
	work();
	idle_take_held(&b);
	ok = same(&a, &b);

	module_beside_unload(DRIVER);
	idle_take_held(&gone);
	sleep_ns(NSEC_PER_SEC);
	idle_take_held(&c);
	on = idle_delta(&gone, &c, 0, IDLE_DEFAULT, IDLE_USAGE) &&
		idle_delta(&gone, &c, 1, IDLE_DEFAULT, IDLE_USAGE);
	ok &= idle_passes(idle_check_after(&b.books, &gone.books)) & idle_passes(idle_check(&c));
	ksft_test_result(ok && on, "a driver goes: %" PRIu64 " stays without one\n",
			 total(&gone, &c, IDLE_DEFAULT, IDLE_USAGE));

	module_beside_load(DRIVER, "enter=halt,halt name=NEW,OTHER residency_us=0,30");
	idle_take_held(&a);
	work();
	idle_take_held(&b);
	ok = same(&a, &b) & idle_passes(idle_check_after(&c.books, &a.books));
	/* The old rows stand still: their driver is gone. */
	for (i = 0; i < gone.books.rows; i++) {
		const struct idle_state *row = &gone.books.row[i];

		for (f = 0; row->state >= 0 && f < IDLE_FIELDS; f++)
			kept &= row->value[f] ==
				idle_sum(&b.books, row->cpu, row->state, row->name, f);
	}
	ksft_test_result(ok, "another one comes: rows of its own\n");
	ksft_test_result(kept, "the rows of the first stay as they are\n");

	/* And the first comes back: sysfs begins anew, the books go on. */
	module_beside_unload(DRIVER);
	module_beside_load(DRIVER, PLAIN);
	idle_take_held(&a);
	work();
	idle_take_held(&b);
	ok = same(&a, &b) & idle_passes(idle_check_after(&gone.books, &a.books));
	ksft_test_result(ok, "the first one comes back\n");
	end(true);
}

static void disabled(void)
{
	uint64_t still, elsewhere;

	begin(PLAIN, false);
	work();
	idle_disable(1, "HALT", true);
	idle_take_held(&b);
	work();
	idle_take_held(&c);
	idle_enable_all();
	still = idle_delta(&b, &c, 1, 1, IDLE_USAGE);
	elsewhere = idle_delta(&b, &c, 1, IDLE_ANY, IDLE_USAGE);
	ksft_test_result(same(&a, &b) && same(&b, &c) && !still && elsewhere,
			 "a state disabled on one CPU: %" PRIu64 " stays there, %" PRIu64
			 " in others\n", still, elsewhere);
	end(true);
}

static void hotplug(void)
{
	static struct idle_shot off, later;
	bool ok, still = true, counts = true, on = true;
	unsigned int i;

	begin(PLAIN, false);
	c = a;
	ok = true;
	for (i = 0; i < 5; i++) {
		work();
		must_write("/sys/devices/system/cpu/cpu1/online", "0");
		idle_take_held(&off);
		sleep_ns(200 * NSEC_PER_MSEC);
		idle_take_held(&later);
		still &= !idle_delta(&off, &later, 1, IDLE_ANY, IDLE_USAGE) &&
			!idle_delta(&off, &later, 1, IDLE_ANY, IDLE_TIME);
		ok &= idle_passes(idle_check_after(&c.books, &off.books)) &
			idle_passes(idle_check_after(&off.books, &later.books)) &
			idle_passes(idle_check(&later));

		must_write("/sys/devices/system/cpu/cpu1/online", "1");
		idle_take_held(&b);
		ok &= idle_passes(idle_check_after(&later.books, &b.books));
		work();
		idle_take_held(&c);
		counts &= same(&b, &c);
		on &= idle_delta(&b, &c, 1, IDLE_ANY, IDLE_USAGE) > 0;
	}
	end(true);
	ksft_test_result(ok, "a CPU goes offline and comes back: rows stay, nothing decreases\n");
	ksft_test_result(still, "nothing is counted of it while it is offline\n");
	ksft_test_result(counts && on, "from online on it is what sysfs counts\n");
}

/* Off and on while no stay is open: what came before and after is there, once, and nothing else. */
static void off_and_on(void)
{
	static struct idle_shot off, on;
	bool ok;

	begin(PLAIN, false);
	work();
	idle_hold();
	idle_take(&b);
	must_write(BOOK_DEBUGFS "collectors", "-idle");
	idle_take(&off);
	idle_release();
	ok = same(&a, &b);
	work();
	idle_hold();
	idle_take(&on);
	must_write(BOOK_DEBUGFS "collectors", "+idle");
	idle_take(&c);
	idle_release();
	ok &= idle_passes(idle_check_after(&b.books, &off.books)) &
		idle_passes(idle_check_after(&on.books, &c.books));
	ok &= !total(&b, &on, IDLE_ANY, IDLE_USAGE) && !total(&b, &on, IDLE_ANY, IDLE_TIME) &&
		!total(&on, &c, IDLE_ANY, IDLE_USAGE);
	ksft_test_result(ok, "collector off: all stands still\n");
	work();
	idle_take_held(&b);
	ksft_test_result(same(&c, &b) && total(&c, &b, IDLE_ANY, IDLE_USAGE),
			 "and on again: nothing lost, nothing doubled\n");

	/* In the middle of stays, too, often. */
	for (int i = 0; i < 50; i++) {
		must_write(BOOK_DEBUGFS "collectors", i & 1 ? "+idle" : "-idle");
		sleep_ns(10 * NSEC_PER_MSEC);
	}
	idle_take_held(&c);
	ok = idle_passes(idle_check_after(&b.books, &c.books)) & idle_passes(idle_check(&c));
	work();
	idle_take_held(&b);
	ksft_test_result(ok && same(&c, &b), "often, while the CPUs come and go\n");
	end(true);
}

static void reset(void)
{
	unsigned int i, f, left = 0;
	bool ok;

	begin(PLAIN, false);
	work();
	idle_hold();
	must_write(BOOK_DEBUGFS "reset", "1");
	idle_take(&b);
	idle_release();
	for (i = 0; i < b.books.rows; i++)
		for (f = IDLE_USAGE; f < IDLE_FIELDS; f++)
			left += b.books.row[i].value[f] != 0;
	ksft_test_result(!left && !b.buckets && !b.causes && idle_passes(idle_check(&b)),
			 "reset: %u values are not 0, %u buckets, %u causes\n", left, b.buckets, b.causes);
	work();
	idle_take_held(&c);
	ok = same(&b, &c) & idle_passes(idle_check_bounds(&c));
	ksft_test_result(ok && total(&b, &c, IDLE_ANY, IDLE_USAGE), "and from there on as in sysfs\n");

	/* In the middle of stays, of which the rest is in the new epoch. */
	must_write(BOOK_DEBUGFS "reset", "1");
	idle_take_held(&b);
	work();
	idle_take_held(&c);
	ksft_test_result(same(&b, &c) && idle_passes(idle_check_bounds(&c)), "while CPUs are idle, too\n");
	end(true);
}

int main(void)
{
	module_require_unloaded();
	require_cpus(2);
	if (!module_beside(DRIVER))
		ksft_exit_skip("no " DRIVER ".ko beside the module: build with TESTS=1\n");
	idle_require_driver("none");
	ksft_print_header();
	ksft_set_plan(23);

	ksft_test_result(runs(PLAIN, false, 2), "a driver that comes after the module\n");
	ksft_test_result(runs(PLAIN, true, 2), "a driver that was there before\n");
	names();
	ksft_test_result(runs("enter=poll,halt,return latency_us=0,0,0 residency_us=0,0,0", false, 1),
			 "times of zero\n");
	ksft_test_result(runs("enter=halt,halt,halt latency_us=30,1,10 residency_us=40,100,5", false, 2),
			 "times in no order\n");
	ksft_test_result(runs("enter=poll,halt,halt,halt,halt,halt,halt,halt,halt,halt "
			      "latency_us=0,1,2,3,4,5,6,7,8,9 residency_us=0,2,10,30,60,100,300,700,2000,9000",
			      false, 4), "ten states\n");
	ksft_test_result(runs("enter=halt", false, 1), "one state\n");
	entered_other();
	rejects();
	drivers_change();
	disabled();
	hotplug();
	off_and_on();
	reset();
	ksft_finished();
}
