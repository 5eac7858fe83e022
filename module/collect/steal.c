// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steal: what a KVM hypervisor says that it took. It tells each CPU in memory
 * that the kernel gave it (Documentation/virt/kvm/x86/msr.rst), whenever that CPU
 * is run again, and any CPU may read it there.
 *
 * With this on, each write section begins with a look. Other hypervisors tell by
 * calls or in memory that only the kernel itself knows.
 */
#include <linux/cc_platform.h>
#include <linux/io.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/smp.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/percpu.h>

#ifdef CONFIG_X86
#include <asm/barrier.h>
#include <asm/hypervisor.h>
#include <asm/kvm_para.h>
#include <asm/msr.h>

/* Beyond any uptime, and still no overflow in ticks. */
#define MAX_NS	(1ULL << 58)

static notrace u64 read_area(const struct kvm_steal_time *area)
{
	u32 version;
	u64 ns;

	do {
		version = READ_ONCE(area->version);
		/* The hypervisor makes it odd first, */
		virt_rmb();
		ns = READ_ONCE(area->steal);
		/* and even last. */
		virt_rmb();
	} while (version & 1 || version != READ_ONCE(area->version));
	return ns;
}

/**
 * cpupr_steal_clock() - a CPU's clock, and its steal clock at the same moment
 * @s: of the CPU, where @area is set
 * @cpu: its number
 * @stolen: set, ticks: all that the ledger is to have
 *
 * A CPU that does not run now is told later.
 *
 * Context: as cpupr_clock_of().
 *
 * Return: ticks.
 */
notrace u64 cpupr_steal_clock(const struct cpupr_steal *s, int cpu, u64 *stolen)
{
	const struct kvm_steal_time *area = READ_ONCE(s->area);
	u64 ns, now;

	do {
		ns = read_area(area);
		now = cpupr_clock_of(cpu);
	} while (ns != read_area(area));
	ns -= READ_ONCE(s->from);
	*stolen = READ_ONCE(s->ticks) + (ns < MAX_NS ? cpupr_clock_ticks(ns) : 0);
	return now;
}

/* Where this CPU's is told. Context: preemption off. */
static const struct kvm_steal_time *find_area(void)
{
	u32 low, high;
	u64 at;

	/* By halves: the call for the whole has another name in later kernels. */
	if (rdmsr_safe(MSR_KVM_STEAL_TIME, &low, &high) || !(low & KVM_MSR_ENABLED))
		return NULL;
	at = ((u64)high << 32 | low) & KVM_STEAL_VALID_BITS;
	return pfn_valid(PHYS_PFN(at)) ? phys_to_virt(at) : NULL;
}

static const char *probe(void)
{
	const struct kvm_steal_time *area;

	if (!hypervisor_is_type(X86_HYPER_KVM))
		return "not a KVM guest";
	/* The kernel's own mapping of it is another one than of the rest. */
	if (cc_platform_has(CC_ATTR_GUEST_MEM_ENCRYPT))
		return "the guest's memory is encrypted";
	preempt_disable();
	area = find_area();
	preempt_enable();
	return area ? NULL : "the kernel has no steal clock";
}
#else
notrace u64 cpupr_steal_clock(const struct cpupr_steal *s, int cpu, u64 *stolen)
{
	return 0;
}

static u64 read_area(const struct kvm_steal_time *area)
{
	return 0;
}

static const struct kvm_steal_time *find_area(void)
{
	return NULL;
}

static const char *probe(void)
{
	return "no steal clock that a module could read";
}
#endif

/**
 * cpupr_steal_watched() - steal is taken out of the rest
 */
bool cpupr_steal_watched(void)
{
	return cpupr_steal_collector.state == CPUPR_ON;
}

/**
 * cpupr_steal_cpu() - look at this CPU's steal clock from now on, or no longer
 * @c: this CPU
 *
 * The kernel asks for it anew whenever the CPU comes online.
 *
 * Context: interrupts off, write section, the ledger's interval just closed.
 */
void cpupr_steal_cpu(struct cpupr_cpu *c)
{
	struct cpupr_steal *s = &c->steal;
	const struct kvm_steal_time *area = NULL;

	if (cpupr_steal_watched() && c->ledger.online)
		area = find_area();
	if (area && !s->area) {
		s->from = read_area(area);
		s->ticks = c->ledger.stolen;
	}
	WRITE_ONCE(s->area, area);
}

/**
 * cpupr_steal_rescale() - go on with another clock
 * @s: of a CPU
 * @mult: one old tick is @mult / 2^@shift new ones
 * @shift: see @mult
 *
 * Context: all CPUs stopped, write section.
 */
void cpupr_steal_rescale(struct cpupr_steal *s, u32 mult, u32 shift)
{
	s->ticks = mul_u64_u32_shr(s->ticks, mult, shift);
}

static struct cpupr_hook hooks[] = {
	{ }
};

struct cpupr_collector cpupr_steal_collector = {
	.name = "steal",
	.desc = "time that a hypervisor took",
	.hooks = hooks,
	.probe = probe,
};
