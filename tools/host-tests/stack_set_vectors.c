// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the stacks counted by content that it shares with the KUnit suite.
 */
#include "ktap.h"
#include "stack_set_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

int main(void)
{
	static struct stack_books books;
	unsigned int i;

	ktap_plan(NR(stack_vectors));
	for (i = 0; i < NR(stack_vectors); i++)
		ktap_result(stack_vectors[i].right(&books), stack_vectors[i].name);
	return ktap_exit();
}
