# Ends the command of `semel run` once semel is gone. Standard input is a pipe whose other end only semel holds.
#   $1  the command's process
#   $2  semel's process
#   $3  a folder to remove
#   $4  own: the command leads a group of its own; shared: others are in its group too
#   $5  members of that group before the command began
PATH=$PATH:/usr/bin:/bin
trap '' HUP INT QUIT TERM TSTP TTIN TTOU
command=$1 semel=$2 folder=$3 group=$4 before=" $5 "

read -r said
[ "$said" = done ] && exit 0 # the command has ended, and its background processes may stay
rm -rf "$folder"

tenths=50 # of a second between TERM and KILL

# A group of the command alone.
if [ "$group" = own ]; then
  kill -s TERM -- "-$command"
  kill -s CONT -- "-$command" # a stopped process gets no other signal
  while kill -s 0 -- "-$command" && [ "$tenths" -gt 0 ]; do
    sleep 0.1
    tenths=$((tenths - 1))
  done
  kill -s KILL -- "-$command"
  exit 0
fi

# A group with others in it, such as a terminal's job, or a script and everything that it starts.
holds() {
  case " $1 " in
    *" $2 "*) return 0 ;;
    *) return 1 ;;
  esac
}

# Sets `found` to the living ones of: the command, its descendants, and those of its group that have lost their parent,
# as the command has.
look() {
  all=$(processes)
  grown=yes
  while [ -n "$grown" ]; do
    grown=''
    while read -r number parent its state; do
      if [ "$number" = "$command" ]; then
        reaper=$parent
        shared=$its
      elif holds "$known" "$number" || holds "$before" "$number" || [ "$number" = "$$" ]; then
        continue
      elif holds "$command $known" "$parent" || { [ "$its" = "$shared" ] && [ "$parent" = "$reaper" ]; }; then
        known="$known $number"
        grown=yes
      fi
    done <<END
$all
END
  done
  found=''
  while read -r number parent its state; do
    if holds "$command $known" "$number" && [ "${state#Z}" = "$state" ]; then
      found="$found $number"
    fi
  done <<END
$all
END
}

reaper=$semel shared='' known='' asked=''
look
while [ "$reaper" = "$semel" ] && [ -n "$found" ] && [ "$tenths" -gt 0 ]; do
  sleep 0.1 # the pipe ends a moment before the command has another parent
  tenths=$((tenths - 1))
  look
done
while [ -n "$found" ] && [ "$tenths" -gt 0 ]; do
  for each in $found; do
    holds "$asked" "$each" || { kill -s TERM "$each"; kill -s CONT "$each"; }
  done
  asked="$asked $found"
  sleep 0.1
  tenths=$((tenths - 1))
  look
done
# shellcheck disable=SC2086 # several numbers
[ -z "$found" ] || kill -s KILL $found
exit 0
