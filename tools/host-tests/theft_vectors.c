// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the pairs of victims and interrupts that it shares with the KUnit suite.
 */
#include "ktap.h"
#include "theft_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

int main(void)
{
	static struct theft_books books;
	unsigned int i;

	ktap_plan(NR(theft_vectors));
	for (i = 0; i < NR(theft_vectors); i++)
		ktap_result(theft_right(&theft_vectors[i], &books), theft_vectors[i].name);
	return ktap_exit();
}
