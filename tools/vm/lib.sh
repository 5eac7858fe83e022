# SPDX-License-Identifier: GPL-2.0-only
# Functions that the scripts of this directory share: messages, the cache, packages, builds.
# Source it; it runs nothing by itself.

vm_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top_dir=$(cd "$vm_dir/../.." && pwd)
cache=${CPUPRECISE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cpuprecise}

# Exit statuses with a meaning; tools/vm/README.md lists them.
readonly EX_UNAVAILABLE=77	# the archive has no such kernel: a reason to skip
readonly EX_DIRTY_LOG=122	# the kernel log holds a report
readonly EX_NO_TOKEN=123	# the guest died before it could say how the command ended
readonly EX_TIMEOUT=124		# the guest was still running when its time was up
readonly EX_HARNESS=125		# wrong usage, or the VM could not be started

me=${0##*/}

note() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { note "$*"; exit "$EX_HARNESS"; }

# --- packages ---------------------------------------------------------------

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo -- "$@"
	else
		return 1
	fi
}

# Prints those of the named packages that are not installed.
missing_packages()
{
	local installed
	installed=" $(dpkg-query -W -f '${db:Status-Abbrev}${binary:Package} ' "$@" 2>/dev/null || true) "
	local p
	for p; do
		[[ $installed =~ \ ii\ +$p(:[a-z0-9]+)?\  ]] || echo "$p"
	done
}

# Refreshes the package lists of the archive in use, unless that was done within the last day or
# so ("now": in any case). The age is that of a directory which each update touches: the lists
# themselves have the archive's dates.
apt_update()
{
	local partial=/var/lib/apt/lists/partial
	[ -z "${APT_CONFIG:-}" ] || partial=${APT_CONFIG%/*}/lists/partial
	if [ "${1:-}" != now ] && compgen -G "${partial%/*}/*Packages*" >/dev/null &&
		[ -n "$(find "$partial" -maxdepth 0 -mmin -1440 2>/dev/null)" ]; then
		return
	fi
	if [ -n "${APT_CONFIG:-}" ]; then
		apt-get -qq -o APT::Sandbox::User=root update >&2
	else
		as_root apt-get -qq update >&2
	fi
}

apt_install()
{
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -qq --no-install-recommends \
		install "$@" >"$cache_log" 2>&1 </dev/null
}

# Installs what is missing of the named packages; takes no time if nothing is.
install_packages()
{
	local missing
	mapfile -t missing < <(missing_packages "$@" | sort -u)
	[ ${#missing[@]} -gt 0 ] || return 0
	as_root true || die "needs root or sudo to install: ${missing[*]}"
	note "installing ${missing[*]}"
	apt_update || true
	apt_install "${missing[@]}" || { apt_update now && apt_install "${missing[@]}"; } ||
		die "apt-get could not install ${missing[*]} (is the network up?): $(grep -m1 '^E:' "$cache_log")"
}

# Selects where apt takes packages from: the host's own configuration ("host"), or a suite of
# the Debian archive and an architecture with a private state, so that the host's stays as it is.
apt_use()
{
	local suite=$1 arch=$2 dir
	if [ "$suite" = host ]; then
		unset APT_CONFIG
		return
	fi
	dir=$cache/apt/$suite-$arch
	mkdir -p "$dir/lists/partial" "$dir/archives/partial"
	: >>"$dir/status"
	local url=${CPUPRECISE_MIRROR:-http://deb.debian.org} key=/usr/share/keyrings/debian-archive-keyring.gpg
	cat >"$dir/sources.list" <<-END
	deb [signed-by=$key] $url/debian $suite main
	deb [signed-by=$key] $url/debian-security $suite-security main
	END
	cat >"$dir/apt.conf" <<-END
	APT::Architecture "$arch";
	#clear APT::Architectures;
	APT::Architectures { "$arch"; };
	Acquire::Languages "none";
	Dir::State "$dir";
	Dir::State::lists "$dir/lists";
	Dir::State::status "$dir/status";
	Dir::Cache "$dir";
	Dir::Cache::archives "$dir/archives";
	Dir::Etc::sourcelist "$dir/sources.list";
	Dir::Etc::sourceparts "/dev/null";
	Dir::Etc::preferences "/dev/null";
	Dir::Etc::preferencesparts "/dev/null";
	END
	export APT_CONFIG=$dir/apt.conf
}

# Downloads packages into the current directory, without the sandbox user: it may not enter a
# home directory.
apt_download() { apt-get -qq -o APT::Sandbox::User=root download "$@" >&2; }

# Prints the packages whose whole name matches an extended regular expression.
apt_names()
{
	apt-cache search --names-only "^linux-" 2>/dev/null | cut -d' ' -f1 | grep -Ex "$1" || true
}

# --- builds -----------------------------------------------------------------

# The architecture of a kernel as the plan of the tests and the bench name it: 6.1, 6.1-arm64.
arch_of() { case $1 in *-arm64) echo arm64 ;; *) echo x86 ;; esac; }

# Copies the tree to a directory, without what a build left in it.
copy_tree()
{
	mkdir -p "$1"
	tar -C "$top_dir" --exclude=.git --exclude='*.ko' --exclude='*.o' --exclude='.*.cmd' -cf - . | tar -C "$1" -xf -
}

# Builds the modules for the kernel in a directory ("kernel" printed it), in a copy of the tree, so
# that kernels do not get in each other's way, and puts them into another: KERNEL-DIR WORK-DIR
# PAYLOAD-DIR [MAKE-VARIABLE=...]. What make says goes to stdout.
build_modules()
{
	local kernel=$1 tree=$2 payload=$3
	shift 3
	copy_tree "$tree" && mkdir -p "$payload" || return
	make --no-print-directory -j"$(nproc)" -C "$tree" KDIR="$(readlink -f "$kernel/build")" "$@" 2>&1 || return
	find "$tree" -name '*.ko' -exec cp {} "$payload/" \;
	rm -rf "$tree"
}

mkdir -p "$cache"
cache_log=$cache/apt.log
