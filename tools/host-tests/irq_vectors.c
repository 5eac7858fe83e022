// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the literal timelines of interrupts by name that it shares with the
 * KUnit suite.
 */
#include "ktap.h"
#include "irq_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

static struct irq_machine machine;

static bool right(const struct irq_vector *v)
{
	u64 got = 0;
	int step = irq_run(v, &machine, &got);

	if (step < 0)
		return true;
	ktap_note("step %d: %llu, should be %llu", step, (unsigned long long)got,
		  (unsigned long long)v->step[step].want);
	return false;
}

int main(void)
{
	unsigned int i;

	ktap_plan(NR(irq_vectors) + NR(irq_cases) + NR(irq_parts));
	for (i = 0; i < NR(irq_vectors); i++)
		ktap_result(right(&irq_vectors[i]), irq_vectors[i].name);
	for (i = 0; i < NR(irq_cases); i++)
		ktap_result(irq_cases[i].right(&machine), irq_cases[i].name);
	for (i = 0; i < NR(irq_parts); i++)
		ktap_result(irq_parts_right(&irq_parts[i]), irq_parts[i].name);
	return ktap_exit();
}
