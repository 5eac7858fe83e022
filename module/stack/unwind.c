// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks of who runs here: the kernel's by the kernel's own unwinder, the user's by
 * frame pointers.
 *
 * Any context, NMIs too; preemption off. Nothing here takes a page fault.
 */
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#include <linux/uaccess.h>

#include <cpuprecise/compat.h>
#include <cpuprecise/stacks.h>

/* Frames of this module, of kprobes and of exceptions that may stand above. */
#define OWN_FRAMES	24

static notrace void push(struct cpupr_stack *stack, unsigned int depth, u64 frame)
{
	if (stack->kernel < depth)
		stack->frame[stack->kernel++] = frame;
	else
		stack->cut |= CPUPR_STACK_CUT_KERNEL;
}

/* Of who fired a tracepoint: neither its probe, ours, nor what calls probes. */
static notrace bool is_own(unsigned long address, const struct cpupr_trigger *t)
{
	return within_module(address, THIS_MODULE) ||
	       address - (unsigned long)t->tp->iterator <= t->tp_size;
}

#ifdef CONFIG_X86
#include <asm/unwind.h>

#if defined(CONFIG_UNWINDER_ORC) && defined(CONFIG_FUNCTION_GRAPH_TRACER) && defined(CONFIG_RETHOOK)
#include <linux/ftrace.h>
#include <linux/rethook.h>

/*
 * Where function_graph has found that a call returns to, by the place of that on the stack; 0 if
 * it has not hooked it. A function that is jumped to has the place of the one that jumps:
 * the first entry is of who was called (ftrace_graph_ret_addr()). Until 6.11 there is an
 * array of entries, and since then there are words, some of which are entries (commit
 * 42675b723b48, "function_graph: Convert ret_stack to a series of longs").
 */
static notrace unsigned long graph_return(const unsigned long *place)
{
	const void *entry = READ_ONCE(current->ret_stack);
	const size_t step = sizeof(*current->ret_stack);
	const void *end = entry + step * (READ_ONCE(current->curr_ret_stack) +
					  (step == sizeof(struct ftrace_ret_stack)));

	if (!entry)
		return 0;
	for (; entry + sizeof(struct ftrace_ret_stack) <= end; entry += step) {
		const struct ftrace_ret_stack *graph = entry;

		if (READ_ONCE(graph->retp) == place)
			return READ_ONCE(graph->ret);
	}
	return 0;
}

/* The same of return probes, whose newest one is the first in the list. */
static notrace unsigned long probe_return(const unsigned long *place)
{
	const struct llist_node *node;
	unsigned long ret = 0;

	for (node = READ_ONCE(current->rethooks.first); node; node = READ_ONCE(node->next)) {
		const struct rethook_node *probe = container_of(node, struct rethook_node, llist);

		if (READ_ONCE(probe->frame) == (unsigned long)place)
			ret = READ_ONCE(probe->ret_addr);
	}
	return ret;
}

/*
 * The kernel's unwinder sees through a return probe and through function_graph, but
 * not through a return probe on top of function_graph: it asks that first and rethook
 * second (unwind_recover_ret_addr()), and ends in return_to_handler. Then the caller
 * takes the place of that frame, and it goes on from there. Who hooked the call first
 * has found the caller, and others what the one before them has put there.
 */
static notrace void next_frame(struct unwind_state *state, struct cpupr_stack *stack)
{
	struct unwind_state here = *state;
	const unsigned long *place = (const unsigned long *)here.sp - 1;
	unsigned long caller;

	if (unwind_next_frame(state))
		return;
	caller = probe_return(place);
	if (!caller || caller == here.ip)
		caller = graph_return(place);
	if (!caller || caller == here.ip)
		return;
	*state = here;
	state->ip = caller;
	if (stack->kernel)
		stack->kernel--;
}
#else
static notrace void next_frame(struct unwind_state *state, struct cpupr_stack *stack)
{
	unwind_next_frame(state);
}
#endif

#ifdef CONFIG_UNWINDER_ORC
/*
 * Did it come to where the stack begins: to the registers of the user or, where there are
 * none, to where they would be? return_to_handler ends a stack as well, in 6.1 without
 * an error. An idle task begins below an inactive_task_frame.
 */
static notrace bool is_whole(struct unwind_state *state)
{
	unsigned long top = (unsigned long)task_pt_regs(current);
	unsigned long room = cpupr_is_idle(current) ? sizeof(struct inactive_task_frame) + 8 : 0;

	if (unwind_error(state))
		return false;
	if (state->regs && user_mode(state->regs))
		return true;
	return state->sp - (unsigned long)task_stack_page(current) <= THREAD_SIZE &&
	       state->sp + room >= top;
}
#else
static notrace bool is_whole(struct unwind_state *state)
{
	return !unwind_error(state);
}
#endif

/*
 * What arch_stack_walk() does, which is not exported. Beginning with registers, the
 * unwinder goes to the caller at once, also at a function's first instruction
 * (arch/x86/kernel/unwind_orc.c, __unwind_start()).
 */
notrace void cpupr_unwind_kernel(struct cpupr_stack *stack, const struct cpupr_trigger *t,
				 struct pt_regs *regs, enum cpupr_stack_from from)
{
	unsigned int depth = t->spec.depth;
	struct unwind_state state;
	bool own = from == CPUPR_FROM_TRACEPOINT;
	unsigned long *first = NULL;

	/* Made up by perf_fetch_caller_regs(): only the stack's pointer is of use. */
	if (from == CPUPR_FROM_HERE && !(regs->flags & X86_EFLAGS_FIXED)) {
		first = (unsigned long *)regs->sp;
		regs = NULL;
	}
	if (regs && from == CPUPR_FROM_HERE)
		push(stack, depth, regs->ip & ~CPUPR_FRAME_RETURN);
	for (unwind_start(&state, current, regs, first); !unwind_done(&state);
	     next_frame(&state, stack)) {
		struct pt_regs *entry = unwind_get_entry_regs(&state, NULL);
		u64 frame = unwind_get_return_address(&state);

		if (!frame)
			break;
		if (own && is_own(frame, t))
			continue;
		own = false;
		if (entry)
			frame &= ~CPUPR_FRAME_RETURN;
		if (unwind_error(&state))
			frame &= ~CPUPR_FRAME_RELIABLE;
		push(stack, depth, frame);
		if (stack->cut)
			return;
	}
	if (!is_whole(&state))
		stack->cut |= CPUPR_STACK_CUT_KERNEL;
}

#else

/*
 * Only stack_trace_save() is exported: it begins with its caller, passes through
 * the exception that brought us here, if one did, and shows where that came from.
 * At a function's entry its caller is in the link register still, not in a frame.
 */
notrace void cpupr_unwind_kernel(struct cpupr_stack *stack, const struct cpupr_trigger *t,
				 struct pt_regs *regs, enum cpupr_stack_from from)
{
	unsigned long *all = (unsigned long *)stack->frame;
	unsigned int depth = t->spec.depth, i = 0, n;

	BUILD_BUG_ON(sizeof(*all) != sizeof(stack->frame[0]));
	n = stack_trace_save(all, min(depth + OWN_FRAMES, 2U * CPUPR_STACK_DEPTH), 0);
	if (regs) {
		unsigned long here = instruction_pointer(regs);

		while (i < n && all[i] != here)
			i++;
		if (i == n) {
			/* Not to be found behind so many frames: what is here is all. */
			all[0] = here;
			i = 0;
			n = 1;
			stack->cut |= CPUPR_STACK_CUT_KERNEL;
		}
		if (from == CPUPR_FROM_HERE) {
			push(stack, depth, all[i] & ~CPUPR_FRAME_RETURN);
		} else if (!t->spec.offset) {
			all[i] = procedure_link_pointer(regs);
			push(stack, depth, all[i]);
		}
		i++;
	} else {
		while (i < n && is_own(all[i], t))
			i++;
	}
	/* In place: what is written was read before. */
	for (; i < n; i++)
		push(stack, depth, all[i]);
}
#endif

/* As compilers lay it down with -fno-omit-frame-pointer, on all architectures here. */
struct user_frame {
	u64 next;
	u64 address;
};

static notrace void push_user(struct cpupr_stack *stack, unsigned int depth, u64 address)
{
	if (stack->user < depth)
		stack->frame[stack->kernel + stack->user++] = address;
	else
		stack->cut |= CPUPR_STACK_CUT_USER;
}

/**
 * cpupr_unwind_user() - the stack of the user
 * @stack: behind its frames of the kernel
 * @depth: how many frames at most
 * @regs: of the user
 * @at_entry: they are at a function's first instruction: no frame has its caller yet
 *
 * Frame by frame up the stack, as long as they are in memory.
 */
notrace void cpupr_unwind_user(struct cpupr_stack *stack, unsigned int depth,
			       struct pt_regs *regs, bool at_entry)
{
	u64 at = frame_pointer(regs), caller;
	struct user_frame frame;

	push_user(stack, depth, instruction_pointer(regs));
	if (!cpupr_user_is_64bit())
		return;
	if (at_entry && cpupr_user_caller(regs, &caller))
		push_user(stack, depth, caller);
	while (!(stack->cut & CPUPR_STACK_CUT_USER) && at && !(at & 7)) {
		if (copy_from_user_nofault(&frame, (const void __user *)at, sizeof(frame)))
			break;
		frame.address = cpupr_code_address(frame.address);
		/* Code that keeps no frames has anything in that register. */
		if (!frame.address || frame.address >= TASK_SIZE_MAX)
			break;
		push_user(stack, depth, frame.address);
		/* Stacks grow downwards: one that does not go up is none. */
		if (frame.next <= at)
			break;
		at = frame.next;
	}
}
