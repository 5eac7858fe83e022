// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the books, by BPF, while a command runs, and prints them:
 *
 *	books all|GROUP[,GROUP...] COMMAND [ARG...]
 *
 * A group of programs is the first word of their names: switch, syscall, irq, softirq, fault,
 * idle. Ends with the command's status, or with 77 if this kernel cannot run the programs, or
 * with 1 if nothing was booked.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "books.h"
#include "books.skel.h"

#define FAILED	1
#define SKIPPED	77

/* Is @group a word of the list? */
static bool listed(const char *list, const char *group, size_t length)
{
	const char *word = list;

	if (!strcmp(list, "all"))
		return true;
	for (; *word; word += strcspn(word, ","), word += *word == ',')
		if (strcspn(word, ",") == length && !strncmp(word, group, length))
			return true;
	return false;
}

static struct books_bpf *load(const char *groups)
{
	struct books_bpf *skeleton = books_bpf__open();
	struct bpf_program *program;

	if (!skeleton)
		return NULL;
	bpf_object__for_each_program(program, skeleton->obj) {
		const char *name = bpf_program__name(program);

		bpf_program__set_autoload(program, listed(groups, name, strcspn(name, "_")));
	}
	/* One of the two. */
	bpf_program__set_autoload(listed(groups, "syscall", strlen("syscall")) ?
				  skeleton->progs.switch_only : skeleton->progs.switch_task, false);
	if (!books_bpf__load(skeleton) && !books_bpf__attach(skeleton))
		return skeleton;
	books_bpf__destroy(skeleton);
	return NULL;
}

static int run(char **command)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return FAILED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Prints a CPU's row, if anything was booked there, and returns how much. */
static unsigned long long print_row(int cpu, const struct books *b)
{
	unsigned long long booked = 0, idle_states = 0;
	int i;

	for (i = USER; i < NR_CATEGORIES; i++)
		booked += b->time[i];
	for (i = 0; i < MAX_STATES; i++)
		idle_states += b->residency[i];
	/*
	 * The books begin at time 0, and all until the first event is unseen, so that all parts
	 * add up to the time of the last event, unless an interrupt came between.
	 */
	if (booked || idle_states)
		printf("cpu%d %llu %llu %llu %llu %llu %llu %lld\n", cpu, b->time[USER],
		       b->time[SYSTEM], b->time[IDLE], b->time[IRQ], b->time[SOFTIRQ], idle_states,
		       (long long)(b->start - b->time[UNSEEN] - booked));
	return booked + idle_states;
}

int main(int argc, char **argv)
{
	unsigned long long booked = 0;
	struct books_bpf *skeleton;
	int cpu, status;

	if (argc < 3) {
		fputs("usage: books all|GROUP[,GROUP...] COMMAND [ARG...]\n", stderr);
		return FAILED;
	}
	skeleton = load(argv[1]);
	if (!skeleton)
		return SKIPPED;
	status = run(argv + 2);
	books_bpf__detach(skeleton);
	puts("# cpu user system idle irq softirq idle_states missing");
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		booked += print_row(cpu, &skeleton->bss->books[cpu]);
	books_bpf__destroy(skeleton);
	return booked ? status : FAILED;
}
