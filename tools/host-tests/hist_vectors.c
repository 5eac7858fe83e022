// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the literal spans of histograms that it shares with the KUnit suite.
 */
#include "ktap.h"
#include "hist_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

int main(void)
{
	char name[40];
	unsigned int i;

	ktap_plan(NR(hist_vectors));
	for (i = 0; i < NR(hist_vectors); i++) {
		snprintf(name, sizeof(name), "span %llu", (unsigned long long)hist_vectors[i].ns);
		ktap_result(hist_right(&hist_vectors[i]), name);
	}
	return ktap_exit();
}
