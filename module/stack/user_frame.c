// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a user's address is called: the file that the process has there, and where
 * in it. Read while the process lives; afterwards an address is just that.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include <cpuprecise/stacks.h>

/* The process of that number, unless the number has come again. */
static struct task_struct *find_process(s32 tgid, u64 start)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_pid_ns(tgid, &init_pid_ns), PIDTYPE_TGID);
	if (task && task->start_time != start)
		task = NULL;
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task;
}

static struct mm_struct *find_mm(s32 tgid, u64 start)
{
	struct task_struct *task = find_process(tgid, start);
	struct mm_struct *mm;

	if (!task)
		return NULL;
	mm = get_task_mm(task);
	put_task_struct(task);
	return mm;
}

/* A frame is one word, and ends at a semicolon in folded stacks. */
static void make_word(char *text)
{
	for (; *text; text++)
		if (*text == ';' || *text == ' ' || iscntrl(*text))
			*text = '_';
}

/* A path's end says more than its beginning. */
static void write_name(char name[CPUPR_USER_FRAME], const char *path, u64 offset)
{
	char place[20];
	size_t room = CPUPR_USER_FRAME - 1 - scnprintf(place, sizeof(place), "+0x%llx", offset);
	size_t len = strlen(path);

	scnprintf(name, CPUPR_USER_FRAME, "%s%s", path + (len > room ? len - room : 0), place);
	make_word(name);
}

/* Under the mmap lock. @room is PATH_MAX bytes. */
static bool name_of(char name[CPUPR_USER_FRAME], struct mm_struct *mm, unsigned long address,
		    char *room)
{
	struct vm_area_struct *vma = find_vma(mm, address);
	char *path;

	if (!vma || address < vma->vm_start || !vma->vm_file)
		return false;
	path = file_path(vma->vm_file, room, PATH_MAX);
	if (IS_ERR(path))
		return false;
	write_name(name, path,
		   address - vma->vm_start + ((u64)vma->vm_pgoff << PAGE_SHIFT));
	return true;
}

static bool name_in(char name[CPUPR_USER_FRAME], struct mm_struct *mm, u64 address)
{
	char *room = kmalloc(PATH_MAX, GFP_KERNEL);
	bool named = false;

	if (room && !mmap_read_lock_killable(mm)) {
		named = name_of(name, mm, address, room);
		mmap_read_unlock(mm);
	}
	kfree(room);
	return named;
}

/**
 * cpupr_user_frame() - what a user's address is called
 * @name: set to FILE+0xOFFSET, with the offset into the file, or to 0xADDR where no
 *	file is there, or the process is gone. Blanks, control characters and
 *	semicolons of the path are underscores; a long one lacks its beginning
 * @tgid: the process, by the number that it has for the machine
 * @start: when it was born, CLOCK_MONOTONIC ns
 * @address: in its memory
 *
 * A process that has called execve() since is taken for what it was.
 *
 * Context: process, may sleep.
 */
void cpupr_user_frame(char name[CPUPR_USER_FRAME], s32 tgid, u64 start, u64 address)
{
	struct mm_struct *mm = find_mm(tgid, start);
	bool named = mm && name_in(name, mm, address);

	if (mm)
		mmput(mm);
	if (!named)
		scnprintf(name, CPUPR_USER_FRAME, "0x%llx", address);
}
