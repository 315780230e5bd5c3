#!/bin/sh
# Debian roots: bare ones, made once and kept, and commands run inside a root.
#
#   setup/debian-root.sh make 13 FOLDER              a bare Debian 13 in FOLDER, if it is not there yet
#   setup/debian-root.sh run FOLDER [BIND...] -- COMMAND...
#                                                    runs a command in it; each BIND is OUTSIDE=INSIDE
#
# Supports 12, 13 and sid. ARCHITECTURE=arm64 makes a root for another processor, which needs
# qemu-user-static on this machine. Needs root. Packages are downloaded from this machine's mirror,
# or from MIRROR.
set -eu
fail() { printf 'mien: %s\n' "$*" >&2; exit 1; }
say() { printf 'mien: %s\n' "$*"; }
[ "$(id -u)" -eq 0 ] || fail "Debian roots are made with debootstrap and entered with chroot, both as root."

# This machine's first mirror that is not only for security updates.
mirror() {
  sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1
}

make_root() {
  release=$1 folder=$2
  [ ! -e "$folder/complete" ] || return 0
  case $release in
    12) suite=bookworm ;;
    13) suite=trixie ;;
    sid) suite=sid ;;
    *) fail "roots are made of Debian 12, 13 and sid, not of \"$release\"." ;;
  esac
  "$(dirname "$0")/setup.sh" chroot
  architecture=${ARCHITECTURE:-$(dpkg --print-architecture)}
  say "making a bare Debian $release for $architecture in $folder (once; two or three minutes)"
  from=${MIRROR:-$(mirror)}
  [ -n "$from" ] || fail "apt names no mirror here: give one as MIRROR=..."
  rm -rf --one-file-system "$folder"
  mkdir -p "$folder"
  log=$(mktemp)
  debootstrap --variant=minbase --include=ca-certificates --arch="$architecture" "$suite" \
    "$folder" "$from" >"$log" 2>&1 || { tail -n 15 "$log" >&2; fail "The root could not be made."; }
  rm -f "$log"
  # The new root uses this machine's apt configuration, except for files owned by packages: there
  # the same package would ask which of the two files to keep.
  for file in /etc/apt/apt.conf.d/*; do
    [ ! -f "$file" ] || dpkg-query -S "$file" >/dev/null 2>&1 || cp "$file" "$folder/etc/apt/apt.conf.d/"
  done
  # Prevents the start of services.
  printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
  chmod 755 "$folder/usr/sbin/policy-rc.d"
  touch "$folder/complete"
}

# Mounts are visible only to the command and removed at its end, as are processes it left running.
run_in() {
  exec unshare --mount --pid --fork --kill-child --propagation private "$0" inside "$@"
}

inside() {
  folder=$1
  shift
  # The root uses this machine's network configuration and trusted certificates.
  for file in resolv.conf hosts ssl/certs/ca-certificates.crt; do
    cp "/etc/$file" "$folder/etc/$file" 2>/dev/null || true
  done
  mount -t proc proc "$folder/proc"
  mount --rbind /dev "$folder/dev"
  mount -t tmpfs tmpfs "$folder/dev/shm"
  mount --rbind /sys "$folder/sys"
  while [ "$1" != -- ]; do
    mkdir -p "$folder${1#*=}"
    mount --bind "${1%%=*}" "$folder${1#*=}"
    shift
  done
  shift
  exec chroot "$folder" env -i PATH="${INNER_PATH:-/usr/sbin:/usr/bin:/sbin:/bin}" HOME=/root \
    LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

action=${1:-}
[ $# -lt 3 ] || shift
case $action in
  make) make_root "$@" ;;
  run) run_in "$@" ;;
  inside) inside "$@" ;;
  *) fail "setup/debian-root.sh knows make and run, not \"$action\"." ;;
esac
