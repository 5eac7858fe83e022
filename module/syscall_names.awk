# SPDX-License-Identifier: GPL-2.0-only
#
# Makes a table of an ABI's system calls, by number, of what the preprocessor
# says that the kernel's headers define (-dM). abi= names the ABI.

# Numbers that are no calls of this ABI: how many there are, and other ABIs'.
/^#define __NR_(syscalls|arch_specific_syscall|(compat|compat32|ia32|x32)_.*) / { next }

/^#define __NR/ { value[$2] = $3 }

# A number defined by another name, as __NR_fcntl is by __NR3264_fcntl.
function resolve(macro) {
	while (macro in value)
		macro = value[macro]
	return macro
}

END {
	# The compiler has macros of its own: without any, it failed.
	if (!NR)
		exit 1
	for (macro in value) {
		nr = resolve(macro)
		if (macro !~ /^__NR_/ || nr !~ /^[0-9]+$/)
			continue
		# Of two names the one that the number was given to, not the alias.
		if (!(nr in name) || value[macro] == nr)
			name[nr] = substr(macro, 6)
		if (nr + 0 > last)
			last = nr + 0
	}
	print "static const char *const cpupr_" abi "_calls[] = {"
	for (nr = 0; nr <= last; nr++)
		if (nr in name)
			print "\t[" nr "] = \"" name[nr] "\","
	print "\tNULL\n};"
}
