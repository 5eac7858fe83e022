/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module watched exports, so that its name can be looked up.
 */
#ifndef SELFTEST_WATCHED_H
#define SELFTEST_WATCHED_H

extern int watched_value;

#endif
