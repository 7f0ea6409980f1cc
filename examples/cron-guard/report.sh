#!/usr/bin/env bash
# The job. It notes that it ran, and takes as long as there is a file called busy.
echo "$1" >>"$WORK/runs"
while [ -e "$WORK/busy" ]; do sleep 0.1; done
echo "the report of $1 is written"
