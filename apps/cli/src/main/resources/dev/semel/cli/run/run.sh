# Waits until the key is claimed, has the command watched, and becomes the command, which so has the number of
# this process, its parent, its streams and its group.
#   $1  a folder with the pipe `line`, whose other end only semel holds: its end is the end of semel
#   $2  the text of watch.sh
#   $3  own: this process leads a group of its own; shared: others are in its group too
#   $4  what starts a process outside of this group: setsid, perl or nothing
#   $5  variables that a shell sets and that the caller does not have
# and then the command.
folder=$1 watch=$2 group=$3 outside=$4 foreign=$5
shift 5

# Prints who is in this process's group.
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

# For reading and writing first: for reading alone it would wait for ever if semel is gone by now.
exec 4<>"$folder/line" 3<"$folder/line" 4>&-
before=''
[ "$group" = own ] || before=$(members)
if ! read -r attempt <&3; then
  # semel has ended, or the command is not needed
  PATH=$PATH:/usr/bin:/bin
  rm -rf "$folder"
  exit 0
fi

# Nobody's child: the command must not have one that it does not know of.
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
# Where the shell can't become the command it says so here; its code alone could be the command's own.
trap ': >"$folder/failed"' EXIT
# shellcheck disable=SC3044 # only where there is one
[ -z "${BASH_VERSION:-}" ] || shopt -s execfail
# shellcheck disable=SC2086 # several names
[ -z "$foreign" ] || unset $foreign
exec "$@"
