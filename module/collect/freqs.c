// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frequencies: time, busy time and cycles of each CPU by the frequency that it
 * was set to.
 *
 * cpu_frequency comes for each change, fast switching included, on any CPU: what
 * counts is the one that it names (drivers/cpufreq/cpufreq.c). Times are worked
 * out there and then, from the named CPU's own books. Its cycles only it can
 * read: if it is another one it is asked to, by an interrupt, or if it is idle
 * as soon as it is not.
 *
 * A change that nothing tells of is a driver that comes or goes, or a CPU that
 * does: then the policy is asked, at once if it is there, and later.
 */
#include <linux/cpu.h>
#include <linux/cpufreq.h>
#include <linux/irqflags.h>
#include <linux/rcupdate.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/workqueue.h>
#include <trace/events/power.h>

#include <cpuprecise/aperf.h>
#include <cpuprecise/collector.h>
#include <cpuprecise/counter.h>
#include <cpuprecise/freqs.h>

#define COPY_TRIES	1000	/* some 100 ns each */

/* NULL while the collector is off. Read by probes, so a grace period before it goes. */
static struct cpupr_counter *cycles;

/**
 * cpupr_freqs_account() - bring times up to date
 * @books: the CPU's, or a reader's copy of it
 * @l: a copy of the CPU's ledger
 * @cpu: its number
 *
 * Context: any but an NMI.
 */
notrace void cpupr_freqs_account(struct cpupr_freqs *books, const struct cpupr_ledger *l, int cpu)
{
	u64 idle = l->time[CPUPR_IDLE] + l->time[CPUPR_IOWAIT];

	/* The clock of a CPU that is not observed counts for nothing. */
	cpupr_freqs_time(books, cpupr_clock_ns(cpupr_ledger_sum(l) - idle), cpupr_clock_ns(idle),
			 l->online ? cpu_clock(cpu) : books->at.clock);
}

/* Context: the CPU's lock. Returns false if its books could not be read. */
static notrace bool account(struct cpupr_freq *f, int cpu)
{
	struct cpupr_ledger l;

	if (!cpupr_ledger_copy(cpu, &l, COPY_TRIES))
		return false;
	cpupr_freqs_account(&f->books, &l, cpu);
	return true;
}

/* Context: on the CPU, its lock. */
static notrace void account_cycles(struct cpupr_freq *f)
{
	u64 now;

	WRITE_ONCE(this_cpu_ptr(&cpupr_cpu)->freq_asked, false);
	if (!cpupr_counter_here(READ_ONCE(cycles), &now))
		return;
	if (f->books.at.counted)
		cpupr_freqs_cycles(&f->books, now, local_clock());
	else
		cpupr_freqs_seed_cycles(&f->books, now, local_clock());
}

/*
 * What was told holds from now on, and all sums are up to date. Context: the CPU's
 * lock. Returns false if the CPU's books could not be read, so that it holds since
 * the last time.
 */
static notrace bool settle(struct cpupr_freq *f, int cpu)
{
	bool booked;

	raw_write_seqcount_begin(&f->seq);
	booked = account(f, cpu);
	if (cpu == smp_processor_id())
		account_cycles(f);
	f->applied = READ_ONCE(f->told);
	cpupr_freqs_change(&f->books, (u32)f->applied);
	raw_write_seqcount_end(&f->seq);
	return booked;
}

/* Once the lock is free: somebody told of a change, found the lock taken, and left it to its owner. */
static __always_inline bool told_more(struct cpupr_freq *f)
{
	/* As whoever tells writes it, and then tries the lock. */
	smp_mb();
	return READ_ONCE(f->told) != READ_ONCE(f->applied);
}

/*
 * The CPU is idle, and when it wakes up it will see that it is asked: its hook
 * sets its sequence before it looks, and takes the bit away in the same section
 * (cpupr_idle_switched()).
 */
static notrace bool sleeps(const struct cpupr_cpu *c)
{
	return cpupr_idle_collector.state == CPUPR_ON && cpupr_sched_collector.state == CPUPR_ON &&
	       READ_ONCE(c->ledger.at.base) >= CPUPR_IDLE &&
	       (READ_ONCE(c->slow) & CPUPR_SLOW_IDLE) && !(raw_read_seqcount(&c->seq) & 1);
}

static notrace void ask(struct cpupr_freq *f, int cpu)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);

	WRITE_ONCE(c->freq_asked, true);
	/* Pairs with that in cpupr_idle_switched(). */
	smp_mb();
	if (!sleeps(c))
		smp_call_function_single_async(cpu, &f->look);
}

/* Settles what was told, or leaves it to the lock's owner. Context: interrupts off. */
static notrace bool apply(struct cpupr_freq *f, int cpu)
{
	bool booked = true;

	do {
		if (!raw_spin_trylock(&f->lock))
			return booked;
		booked = settle(f, cpu) && booked;
		raw_spin_unlock(&f->lock);
	} while (told_more(f));
	if (cpu != smp_processor_id() && cpupr_counter_on(READ_ONCE(cycles), cpu))
		ask(f, cpu);
	return booked;
}

/* The same for this CPU, now. Context: on the CPU, interrupts off. */
static notrace void look(void *freq)
{
	struct cpupr_freq *f = freq;

	raw_spin_lock(&f->lock);
	settle(f, smp_processor_id());
	raw_spin_unlock(&f->lock);
	if (told_more(f))
		apply(f, smp_processor_id());
}

/*
 * Context: __cpufreq_driver_target() or, with the run queue's lock held and
 * interrupts off, cpufreq_driver_fast_switch(); of a policy one at a time.
 */
static notrace void probe_cpu_frequency(void *data, unsigned int khz, unsigned int cpu)
{
	struct cpupr_cpu *c;
	struct cpupr_freq *f;
	unsigned long flags;
	u64 told;

	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return;
	f = per_cpu_ptr(&cpupr_cpu, cpu)->freq;
	local_irq_save(flags);
	told = READ_ONCE(f->told);
	WRITE_ONCE(f->told, ((told >> 32) + 1) << 32 | khz);
	/* Before the lock: see apply(). */
	smp_mb();
	c = this_cpu_ptr(&cpupr_cpu);
	if (apply(f, cpu))
		cpupr_count(c, data);
	else
		cpupr_miss(c, data);
	local_irq_restore(flags);
}
CPUPR_CHECK_HOOK(cpu_frequency, probe_cpu_frequency)

/*
 * What the policy says, where events tell of what comes after it; else 0. @waits: for
 * a driver that is about to come up.
 */
static u32 policy_khz(int cpu, bool waits)
{
	struct cpufreq_policy *policy = cpufreq_cpu_get(cpu);
	u32 khz = 0;

	if (!policy)
		return 0;
	if (waits)
		down_read(&policy->rwsem);
	else if (!down_read_trylock(&policy->rwsem))
		goto put;
	/* A driver that has no governor sets frequencies as it likes, and is silent. */
	if (policy->governor)
		khz = policy->cur;
	up_read(&policy->rwsem);
put:
	cpufreq_cpu_put(policy);
	return khz;
}

/* The policy has been asked. */
static void answer(int cpu, u32 khz)
{
	struct cpupr_freq *f = per_cpu_ptr(&cpupr_cpu, cpu)->freq;
	u64 told = READ_ONCE(f->told);
	unsigned long flags;

	/* An event knows better. */
	if (told >> 32 != READ_ONCE(f->unsure) || (u32)told == khz)
		return;
	if (cmpxchg64(&f->told, told, (told >> 32) << 32 | khz) != told)
		return;
	local_irq_save(flags);
	apply(f, cpu);
	local_irq_restore(flags);
}

static void ask_policies(struct work_struct *work)
{
	int cpu;

	/*
	 * Behind whatever brings a CPU up now, cpufreq's part of that included. Not
	 * with the lock held: who owns a policy may wait for it, see cpupr_freqs_comes().
	 */
	cpus_read_lock();
	cpus_read_unlock();
	/* One that is away comes back to what it had, until it is asked for. */
	for_each_online_cpu(cpu)
		answer(cpu, policy_khz(cpu, true));
}
static DECLARE_WORK(ask_work, ask_policies);

static void unsure(int cpu)
{
	struct cpupr_freq *f = per_cpu_ptr(&cpupr_cpu, cpu)->freq;

	WRITE_ONCE(f->unsure, READ_ONCE(f->told) >> 32);
}

/*
 * Policies come and go with their driver. This chain leaves fast switching alone,
 * the one of transitions would not (cpufreq_register_notifier()).
 */
static int policy_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct cpufreq_policy *policy = data;
	int cpu;

	for_each_cpu(cpu, policy->related_cpus)
		unsure(cpu);
	schedule_work(&ask_work);
	return NOTIFY_OK;
}

static struct notifier_block policy_notifier = {
	.notifier_call = policy_event,
};

/**
 * cpupr_freqs_comes() - a CPU comes online, and its row is about to open
 * @cpu: which
 *
 * Asks its policy, if cpufreq's own part in bringing the CPU up was before this one:
 * then the row opens with what holds. If not, cpupr_freqs_open() has it asked afterwards.
 *
 * This waits for nobody. Who owns a policy in turn may wait for hotplug to end: 6.12's
 * store_local_boost() does (6.1's cpufreq does not), and cpufreq's own callback, which
 * waits for the policy, would hang in that case.
 *
 * Context: a hotplug callback on the CPU.
 */
void cpupr_freqs_comes(int cpu)
{
	u32 khz;
	bool on;

	/* disable() waits for this before it forgets: then the answer is too late, and nothing. */
	rcu_read_lock();
	on = cpupr_freqs_collector.state == CPUPR_ON;
	if (on)
		unsure(cpu);
	rcu_read_unlock();
	khz = on ? policy_khz(cpu, false) : 0;
	if (khz)
		answer(cpu, khz);
}

/**
 * cpupr_freqs_open() - a CPU's row opens
 * @c: this CPU
 *
 * Context: on the CPU, interrupts off, outside of a write section.
 */
void cpupr_freqs_open(struct cpupr_cpu *c)
{
	struct cpupr_freq *f = c->freq;

	raw_spin_lock(&f->lock);
	raw_write_seqcount_begin(&f->seq);
	/* The books stood still, the clock did not. */
	cpupr_freqs_seed_time(&f->books, f->books.at.busy, f->books.at.idle, local_clock());
	/* The counter goes on from where it was, as soon as it is there. */
	if (f->books.at.counted)
		f->books.at.counted = local_clock();
	raw_write_seqcount_end(&f->seq);
	raw_spin_unlock(&f->lock);
	look(f);
	if (cpupr_freqs_collector.state == CPUPR_ON) {
		unsure(smp_processor_id());
		schedule_work(&ask_work);
	}
}

/**
 * cpupr_freqs_freeze() - a CPU's row is about to freeze
 * @c: this CPU
 *
 * Context: as cpupr_freqs_open().
 */
void cpupr_freqs_freeze(struct cpupr_cpu *c)
{
	look(c->freq);
}

/**
 * cpupr_freqs_woken() - this CPU was asked while it was idle
 * @c: this CPU
 *
 * Context: a probe, interrupts off, outside of a write section.
 */
notrace void cpupr_freqs_woken(struct cpupr_cpu *c)
{
	/* If another one has the lock, it stays asked, and comes here again. */
	apply(c->freq, smp_processor_id());
}

/**
 * cpupr_freqs_look() - have a CPU bring its cycles up to date
 * @cpu: which; by an interrupt
 *
 * Context: process, may sleep.
 *
 * Return: false, and no interrupt, if there are none to be counted.
 */
bool cpupr_freqs_look(int cpu)
{
	bool counts;

	rcu_read_lock();
	counts = cpupr_counter_on(READ_ONCE(cycles), cpu);
	rcu_read_unlock();
	return counts &&
	       !smp_call_function_single(cpu, look, per_cpu_ptr(&cpupr_cpu, cpu)->freq, 1);
}

/**
 * cpupr_freqs_wait() - until the policies of who came or went have been asked
 *
 * On a busy machine that is later by milliseconds; to a reader it shall not look so.
 *
 * Context: process, may sleep; not under cpus_read_lock().
 */
void cpupr_freqs_wait(void)
{
	flush_work(&ask_work);
}

/* Once before the hooks, so that no row opens with an unknown frequency; once after. */
static void ask_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		unsure(cpu);
	ask_policies(NULL);
}

static void catch_up(void)
{
	int cpu;

	ask_all();
	/* Cycles count from here on. */
	cpupr_counters_follow();
	for_each_online_cpu(cpu)
		cpupr_freqs_look(cpu);
}

static int enable(void)
{
	struct cpupr_counter *counter;
	int ret = cpupr_counter_get(&cpupr_event_cycles, &counter);

	if (ret)
		return ret;
	ret = cpufreq_register_notifier(&policy_notifier, CPUFREQ_POLICY_NOTIFIER);
	if (ret) {
		cpupr_counter_put(counter);
		return ret;
	}
	WRITE_ONCE(cycles, counter);
	cpupr_aperf_get();
	ask_all();
	return 0;
}

/* While nobody tells, no frequency is known. */
static void forget(int cpu)
{
	struct cpupr_freq *f = per_cpu_ptr(&cpupr_cpu, cpu)->freq;
	unsigned long flags;

	WRITE_ONCE(f->told, ((f->told >> 32) + 1) << 32);
	local_irq_save(flags);
	apply(f, cpu);
	raw_spin_lock(&f->lock);
	f->books.at.counted = 0;
	raw_spin_unlock(&f->lock);
	local_irq_restore(flags);
}

static void disable(void)
{
	struct cpupr_counter *counter = cycles;
	int cpu;

	cpufreq_unregister_notifier(&policy_notifier, CPUFREQ_POLICY_NOTIFIER);
	cancel_work_sync(&ask_work);
	WRITE_ONCE(cycles, NULL);
	/* Nobody asks any more: wait until those who were have looked. */
	kick_all_cpus_sync();
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		forget(cpu);
	cpupr_aperf_put();
	cpupr_counter_put(counter);
}

/**
 * cpupr_freqs_books_init() - the books of all CPUs
 *
 * They stay until the module goes, whether the collector is on or off.
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_freqs_books_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct cpupr_freq *f = kvzalloc_node(sizeof(*f), GFP_KERNEL, cpu_to_node(cpu));

		if (!f) {
			cpupr_freqs_books_exit();
			return -ENOMEM;
		}
		raw_spin_lock_init(&f->lock);
		seqcount_init(&f->seq);
		INIT_CSD(&f->look, look, f);
		cpupr_freqs_init(&f->books);
		per_cpu_ptr(&cpupr_cpu, cpu)->freq = f;
	}
	return 0;
}

/**
 * cpupr_freqs_books_exit() - the hook and all rows are gone: free them
 */
void cpupr_freqs_books_exit(void)
{
	int cpu;

	cancel_work_sync(&ask_work);
	for_each_possible_cpu(cpu) {
		kvfree(per_cpu_ptr(&cpupr_cpu, cpu)->freq);
		per_cpu_ptr(&cpupr_cpu, cpu)->freq = NULL;
	}
}

static struct cpupr_hook hooks[] = {
	CPUPR_COUNTING_HOOK(cpu_frequency, probe_cpu_frequency),
	{ }
};

struct cpupr_collector cpupr_freqs_collector = {
	.name = "freqs",
	.desc = "time, busy time and cycles by frequency",
	.hooks = hooks,
	.enable = enable,
	.catch_up = catch_up,
	.disable = disable,
};
