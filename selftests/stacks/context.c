// SPDX-License-Identifier: GPL-2.0-only
/*
 * In what a function is called: by an interrupt, a softirq or a task; and the stack goes
 * on to what was interrupted.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "stacks.h"
#include "traces.h"

#define CALLS	20
#ifdef __x86_64__
#define SYSCALLS	"do_syscall_64"
#else
#define SYSCALLS	"invoke_syscall"
#endif

static struct triggers triggers;
static struct stacks stacks;

/* --- contexts --------------------------------------------------------------------------------- */

/* Long enough in the kernel that ticks come there; zeros are copied to user memory. */
static void stay_in_kernel(void)
{
	static char zeros[8 << 20];
	int fd = open("/dev/zero", O_RDONLY), i;

	for (i = 0; i < 20; i++)
		if (read(fd, zeros, sizeof(zeros)) <= 0)
			_exit(1);
	close(fd);
}

static void send_and_receive(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	socklen_t length = sizeof(to);
	int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0), i;
	char packet[64] = "";

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(in, (struct sockaddr *)&to, sizeof(to)) || getsockname(in, (struct sockaddr *)&to, &length))
		_exit(1);
	for (i = 0; i < CALLS; i++)
		if (sendto(out, packet, sizeof(packet), 0, (struct sockaddr *)&to, sizeof(to)) < 0 ||
		    recv(in, packet, sizeof(packet), 0) < 0)
			_exit(1);
	close(in);
	close(out);
}

static void work(void)
{
	send_and_receive();
	stay_in_kernel();
}

/* Hits of a trigger in a context; of stacks that have a function, if it is given. */
static uint64_t hits_in(const char *name, const char *context, const char *symbol)
{
	uint64_t hits = 0;
	unsigned int i;

	for (i = 0; i < stacks.blocks; i++) {
		const struct stack_block *b = &stacks.block[i];

		if (!strcmp(b->name, name) && !strcmp(b->context, context) &&
		    (!symbol || stack_has(b, symbol)))
			hits += b->count;
	}
	return hits;
}

static void contexts(void)
{
	struct actor actor;
	uint64_t all;

	actor_start(&actor, work, other_cpu());
	triggers_add("p:tick update_process_times pid=%d", actor.pid);
	triggers_add("p:packets net_rx_action pid=%d", actor.pid);
	triggers_add("p:read vfs_read pid=%d", actor.pid);
	triggers_add("t:switch sched:sched_switch pid=%d", actor.pid);
	actor_run(&actor);
	stacks_read(&stacks);
	all = stacks_count(&stacks, "tick");
	ksft_test_result(all && hits_in("tick", "irq", NULL) == all, "%" PRIu64 " of %" PRIu64 " ticks are in irq\n",
			 hits_in("tick", "irq", NULL), all);
	ksft_test_result(hits_in("tick", "irq", "vfs_read"), "%" PRIu64 " of them reach to the read that they interrupted\n",
			 hits_in("tick", "irq", "vfs_read"));
	all = stacks_count(&stacks, "packets");
	ksft_test_result(all && hits_in("packets", "softirq", NULL) == all, "%" PRIu64 " of %" PRIu64
			 " packets are in softirq\n", hits_in("packets", "softirq", NULL), all);
	ksft_test_result(hits_in("packets", "softirq", "udp_sendmsg"), "%" PRIu64 " of them reach to the sender\n",
			 hits_in("packets", "softirq", "udp_sendmsg"));
	all = stacks_count(&stacks, "read");
	ksft_test_result(all && hits_in("read", "task", SYSCALLS) == all, "%" PRIu64 " of %" PRIu64
			 " reads are in the task\n", hits_in("read", "task", SYSCALLS), all);
	/* First is who has the tracepoint. */
	all = stacks_count(&stacks, "switch");
	ksft_test_result(all && hits_in("switch", "task", "__schedule") == all, "%" PRIu64 " of %" PRIu64
			 " switches are in __schedule()\n", hits_in("switch", "task", "__schedule"), all);
	actor_end(&actor);
	triggers_clear();
}

int main(void)
{
	const char *trouble;

	stacks_require();
	ksft_print_header();
	ksft_set_plan(6 + 1);
	log_mark();
	stacks_share(100);
	contexts();
	trouble = log_trouble();
	ksft_test_result(!trouble, "a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	ksft_finished();
}
