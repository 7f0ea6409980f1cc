# Stands before run.sh and watch.sh, which are POSIX shell: semel has no native code of its own.

# Prints number, parent, group and state of each process.
processes() {
  if [ -r /proc/self/stat ]; then
    for stat in /proc/[0-9]*/stat; do
      { IFS= read -r line <"$stat"; } 2>/dev/null || continue
      number=${line%% *}
      line=${line##*) } # the name before it may contain anything
      state=${line%% *}
      line=${line#* }
      parent=${line%% *}
      line=${line#* }
      printf '%s %s %s %s\n' "$number" "$parent" "${line%% *}" "$state"
    done
  else
    ps -A -o pid= -o ppid= -o pgid= -o stat=
  fi
}
