// SPDX-License-Identifier: GPL-2.0-only
/*
 * The books of each CPU, kept by BPF: how long it was in user code, the system, idle, in
 * interrupts and in softirqs, and its residency in idle states.
 *
 * Made to be as cheap as BPF is: programs on BTF tracepoints, the shortest way that stock kernels
 * have into a program; state in a global array, which the code reaches by address; no atomic
 * operations, as each CPU writes its own books only; no depth counters, as neither hard interrupts
 * nor softirqs nest.
 *
 * What BPF cannot do here: hold off interrupts. One that comes while a system call or a softirq
 * is being booked makes that interval count twice or not at all.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "books.h"

typedef __u32 u32;
typedef __u64 u64;

/* The kernel's own types, as far as they are needed; where the fields are is found at load. */
#define KERNEL __attribute__((preserve_access_index))

struct task_struct {
	unsigned int flags;
} KERNEL;

struct pt_regs {
	long orig_ax;
} KERNEL;

#define PF_IDLE		0x00000002
#define PF_IO_WORKER	0x00000010
#define PF_KTHREAD	0x00200000
#define FAULT_FLAG_USER	0x40

struct books books[MAX_CPUS];

char LICENSE[] SEC("license") = "GPL";

static __always_inline struct books *own_books(void)
{
	return &books[bpf_get_smp_processor_id() & (MAX_CPUS - 1)];
}

/* Closes the open interval and opens one of @category. */
static __always_inline void book(struct books *b, u32 category)
{
	u64 now = bpf_ktime_get_ns();

	b->time[b->category % NR_CATEGORIES] += now - b->start;
	b->start = now;
	b->category = category;
}

/*
 * What a task does that is switched to. No event tells of its return to user code if it was
 * an interrupt that it was switched out in, so see what it entered the kernel for.
 */
static __always_inline u32 category_of(struct task_struct *task, _Bool sees_syscalls)
{
	u32 flags = task->flags;
	struct pt_regs *regs;

	if (flags & (PF_KTHREAD | PF_IO_WORKER))
		return flags & PF_IDLE ? IDLE : SYSTEM;
	if (!sees_syscalls)
		return USER;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	return regs->orig_ax == -1 ? USER : SYSTEM;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(switch_task, _Bool preempt, struct task_struct *prev, struct task_struct *next)
{
	book(own_books(), category_of(next, 1));
	return 0;
}

/* Without the events of system calls: all that a task does is taken for user code. */
SEC("tp_btf/sched_switch")
int BPF_PROG(switch_only, _Bool preempt, struct task_struct *prev, struct task_struct *next)
{
	book(own_books(), category_of(next, 0));
	return 0;
}

SEC("tp_btf/sys_enter")
int syscall_entry(void *ctx)
{
	book(own_books(), SYSTEM);
	return 0;
}

SEC("tp_btf/sys_exit")
int syscall_exit(void *ctx)
{
	book(own_books(), USER);
	return 0;
}

static __always_inline int irq_entry(void)
{
	struct books *b = own_books();

	b->below_irq = b->category;
	book(b, IRQ);
	return 0;
}

static __always_inline int irq_exit(void)
{
	struct books *b = own_books();

	book(b, b->below_irq);
	return 0;
}

#define IRQ_EVENT(event)						\
	SEC("tp_btf/" #event "_entry")					\
	int irq_##event##_entry(void *ctx) { return irq_entry(); }	\
	SEC("tp_btf/" #event "_exit")					\
	int irq_##event##_exit(void *ctx) { return irq_exit(); }

IRQ_EVENT(irq_handler)
IRQ_EVENT(local_timer)
IRQ_EVENT(reschedule)
IRQ_EVENT(call_function)
IRQ_EVENT(call_function_single)
IRQ_EVENT(irq_work)

SEC("tp_btf/softirq_entry")
int softirq_entry(void *ctx)
{
	struct books *b = own_books();

	b->below_softirq = b->category;
	book(b, SOFTIRQ);
	return 0;
}

SEC("tp_btf/softirq_exit")
int softirq_exit(void *ctx)
{
	struct books *b = own_books();

	book(b, b->below_softirq);
	return 0;
}

SEC("tp_btf/page_fault_user")
int fault_begin(void *ctx)
{
	book(own_books(), SYSTEM);
	return 0;
}

/* The fault's end has no tracepoint: this is the last that there is to hook. */
SEC("fexit/handle_mm_fault")
int BPF_PROG(fault_end, void *vma, unsigned long address, unsigned int flags)
{
	if (flags & FAULT_FLAG_USER)
		book(own_books(), USER);
	return 0;
}

/* Entry into an idle state, or the end of the stay: state -1. */
SEC("tp_btf/cpu_idle")
int BPF_PROG(idle_state, u32 state)
{
	struct books *b = own_books();
	u64 now = bpf_ktime_get_ns();

	if (state != (u32)-1) {
		b->idle_start = now;
		b->idle_state = state;
	} else if (b->idle_start) {
		b->residency[b->idle_state % MAX_STATES] += now - b->idle_start;
		b->idle_start = 0;
	}
	return 0;
}
