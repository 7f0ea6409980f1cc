# Ends with 0 if the process $1, or one of the group that it leads or led, lives. A zombie does not count: it has
# ended, and only its parent has not collected it yet.
processes | {
  while read -r number parent its state; do
    case $state in Z* | X*) continue ;; esac
    if [ "$number" = "$1" ] || [ "$its" = "$1" ]; then
      exit 0
    fi
  done
  exit 1
}
