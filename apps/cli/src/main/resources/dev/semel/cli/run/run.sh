# Waits until the key is claimed, starts the watcher, and becomes the command. So the command has this process's
# number, parent, streams and group.
#   $1  a folder with the pipe `line`, whose other end only semel holds: its end is the end of semel
#   $2  the text of watch.sh
#   $3  own: this process leads a group of its own; shared: others are in its group too
#   $4  what starts a process outside of this group: setsid, perl or nothing
#   $5  variables that a shell sets and that the caller does not have
# and then the command.
folder=$1 watch=$2 group=$3 outside=$4 foreign=$5
shift 5

# Prints the members of this process's group.
members() {
  processes | {
    all='' mine=''
    while read -r number parent its state; do
      all="$all $number:$its"
      [ "$number" = "$$" ] && mine=$its
    done
    for each in $all; do
      [ "${each#*:}" = "$mine" ] && printf '%s ' "${each%:*}"
    done
  }
}

# For reading and writing first: opening for reading alone would wait forever if semel has ended.
exec 4<>"$folder/line" 3<"$folder/line" 4>&-
before=''
[ "$group" = own ] || before=$(members)
if ! read -r attempt <&3; then
  # semel has ended, or the command is not needed
  PATH=$PATH:/usr/bin:/bin
  rm -rf "$folder"
  exit 0
fi

# Started as nobody's child, because the command must not have a child that it does not know.
(
  case $outside in
    setsid) set -- setsid /bin/sh ;;
    perl) set -- perl -e 'setpgrp(0, 0); exec @ARGV' /bin/sh ;;
    *) set -- /bin/sh ;;
  esac
  "$@" -c "$watch" semel-watch "$$" "$PPID" "$folder" "$group" "$before" <&3 3<&- >/dev/null 2>&1 &
)
exec 3<&-
SEMEL_ATTEMPT=$attempt
export SEMEL_ATTEMPT
# If the shell can't become the command, it leaves this file; its exit code alone could be the command's.
trap ': >"$folder/failed"' EXIT
# shellcheck disable=SC3044 # only where there is one
[ -z "${BASH_VERSION:-}" ] || shopt -s execfail
# shellcheck disable=SC2086 # several names
[ -z "$foreign" ] || unset $foreign
exec "$@"
