// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's cpufreq: what sysfs says of frequencies, and takes.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "cpufreq.h"
#include "machine.h"
#include "parse.h"

static const char *path_of(int cpu, const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/%s", cpu, name);
	return path;
}

/* Has the CPU a policy, and so is there a driver? */
bool cpufreq_here(int cpu)
{
	return !access(path_of(cpu, "scaling_driver"), R_OK);
}

void cpufreq_require_driver(const char *name)
{
	char driver[32];

	if (!file_read(path_of(0, "scaling_driver"), driver, sizeof(driver)))
		ksft_exit_skip("needs the cpufreq driver %s, there is none\n", name);
	if (strcmp(driver, name))
		ksft_exit_skip("needs the cpufreq driver %s, there is %s\n", name, driver);
}

/* The kernel has modprobe called for one that is not there yet. */
void cpufreq_governor(int cpu, const char *name)
{
	must_write(path_of(cpu, "scaling_governor"), name);
}

/* With the governor userspace. */
void cpufreq_set(int cpu, uint64_t khz)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, khz);
	must_write(path_of(cpu, "scaling_setspeed"), text);
}

/* What the policy's frequency is for the kernel, with the governor userspace. */
uint64_t cpufreq_khz(int cpu)
{
	char text[32];
	uint64_t khz;

	if (!file_read(path_of(cpu, "scaling_setspeed"), text, sizeof(text)) || !parse_u64(text, &khz))
		ksft_exit_fail_msg("CPU %d: no scaling_setspeed\n", cpu);
	return khz;
}

void cpufreq_read_stats(int cpu, struct cpufreq_stats *stats)
{
	static char text[65536];
	char *line, *save = NULL;

	stats->before = monotonic_ns();
	file_read_all(path_of(cpu, "stats/time_in_state"), text, sizeof(text));
	stats->after = monotonic_ns();
	stats->states = 0;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		uint64_t *khz = &stats->state[stats->states].khz, *ns = &stats->state[stats->states].ns;

		if (stats->states == CPUFREQ_MAX_STATES ||
		    sscanf(line, "%" SCNu64 " %" SCNu64, khz, ns) != 2)
			ksft_exit_fail_msg("CPU %d: time_in_state: '%s'\n", cpu, line);
		*ns *= CPUFREQ_STATS_UNIT;
		stats->states++;
	}
}

/* schedutil has a kernel thread, sugov:N, for each policy that it cannot switch by itself. */
bool cpufreq_is_fast(void)
{
	struct dirent *entry;
	char path[300], name[32];
	bool slow = false;
	DIR *proc = opendir("/proc");

	if (!proc)
		ksft_exit_fail_msg("no /proc\n");
	while ((entry = readdir(proc))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		slow |= file_read(path, name, sizeof(name)) && !strncmp(name, "sugov:", 6);
	}
	closedir(proc);
	return !slow;
}
