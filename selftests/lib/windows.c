// SPDX-License-Identifier: GPL-2.0-only
/*
 * Times that the module has booked on a CPU against ftrace's spans, cut into windows.
 *
 * The module and ftrace stamp an event one after the other. When an emulated CPU
 * loses its turn between the two, milliseconds land on different sides of them. So the
 * time is cut into windows, and judged is the one in the middle when they are put in
 * order of how far they are off: what is wrong is so in all of them. In the
 * instruction-counting VM no CPU waits for a turn, and there the whole is judged, too.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/types.h>

#include "kselftest.h"

#include "load.h"
#include "machine.h"
#include "windows.h"

#define WINDOW	(300 * NSEC_PER_MSEC)

/*
 * Traces @cpu under @loads. @events: as for timeline_start(). @read: takes the module's
 * figures at the begin of each window, and at the end of the last one. Returns whether no
 * event was lost.
 */
bool windows_watch(const char *what, struct timeline *timeline, int cpu, void (*const *loads)(void),
		   unsigned int nr, unsigned int events, void (*read)(unsigned int))
{
	uint64_t lost;
	pid_t load[4];
	unsigned int i;

	if (nr > ARRAY_SIZE(load))
		ksft_exit_fail_msg("%u loads\n", nr);
	for (i = 0; i < nr; i++)
		load[i] = load_start(loads[i], cpu);
	sleep_ns(100 * NSEC_PER_MSEC);
	timeline_start(events);
	sleep_ns(100 * NSEC_PER_MSEC);
	for (i = 0; i <= WINDOWS; i++) {
		if (i)
			sleep_ns(WINDOW);
		read(i);
	}
	timeline_stop();
	lost = timeline_lost(cpu);
	for (i = 0; i < nr; i++)
		load_stop(load[i]);
	if (lost)
		ksft_print_msg("%s: %" PRIu64 " trace events lost\n", what, lost);
	timeline_load(timeline, cpu);
	return !lost;
}

/* How much more was booked than there was; negative: less. */
int64_t window_off(const struct window *w)
{
	return w->booked > w->most ? w->booked - w->most : w->booked < w->least ? w->booked - w->least : 0;
}

/*
 * Between 0.95 of the spans and the spans plus what hooks and traces cost on either side
 * of a stamp: 3 us an event, 20 us under emulation, and 300 instructions in the
 * instruction-counting VM.
 */
bool window_fits(const struct window *w)
{
	int64_t slack = (is_icount() ? 300 : is_tcg() ? 20000 : 3000) * w->events;

	return w->booked * 100 >= w->least * 95 && w->booked <= w->most + slack;
}

static int compare(const void *a, const void *b)
{
	int64_t x = window_off(a), y = window_off(b);

	return (x > y) - (x < y);
}

/* Puts them in order. */
const struct window *windows_middle(struct window w[WINDOWS])
{
	qsort(w, WINDOWS, sizeof(w[0]), compare);
	return &w[WINDOWS / 2];
}
