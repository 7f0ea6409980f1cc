# Builds what a checkout runs: ./semel and the examples share it. Not a part of a distribution.
# Source it with bash, after start.sh, and set
#   root      the checkout
#   jdk       where Java is: choose_jdk finds it

# --- the modules ---------------------------------------------------------------------------------

# Prints the folders of all modules, as the POMs name them. Its argument is the folder whose POM names
# them, with a slash at its end: nothing for the root.
modules() {
  local module
  sed -n 's:.*<module>\(.*\)</module>.*:\1:p' "$root/${1:-}pom.xml" 2>/dev/null |
    while IFS= read -r module; do
      printf '%s\n' "${1:-}$module"
      modules "${1:-}$module/"
    done
}

# Prints the name of the module in a folder: its POM's first name that is not its parent's.
artifact_of() {
  sed -n -e '/<parent>/,/<\/parent>/d' -e 's:.*<artifactId>\(.*\)</artifactId>.*:\1:p' "$root/$1/pom.xml" |
    head -n 1
}

# --- progress ------------------------------------------------------------------------------------

is_terminal() {
  [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]
}

# show N OF WHAT: shows that the Nth of OF has begun, as a bar that each call redraws, or without a terminal
# as a line each time.
show() {
  local width=24 filled bar
  if ! is_terminal; then
    printf '[%d/%d] %s\n' "$1" "$2" "$3" >&2
    return
  fi
  filled=$((($1 - 1) * width / $2))
  printf -v bar '%*s' "$filled" ''
  bar=${bar// /#}
  printf -v bar '%-*s' "$width" "$bar"
  printf '\r[%s] %d/%d %s\033[K' "${bar// /.}" "$1" "$2" "$3" >&2
}

# Removes the bar before other output.
clear_bar() {
  if is_terminal; then
    printf '\r\033[K' >&2
  fi
}

# Writes Maven's output into a file, and shows its current module. A Maven with another output format
# builds too, but shows nothing.
follow() {
  local line module='' count=0 of=0 files=0
  while IFS= read -r line || [ -n "$line" ]; do
    printf '%s\n' "$line" >&3
    case $line in
      *'---< '*:*' >---'*) # its first line about a module: -----< dev.semel:semel-core >-----
        module=${line#*< *:}
        module=${module%% >*}
        count=$((count + 1))
        [ "$of" -gt 0 ] && show "$count" "$of" "$module"
        ;;
      *' Building '*\[*/*\]) # its second: how many there are. The first module has no other beside it.
        [ "$of" -gt 0 ] && continue
        of=${line##*/}
        of=${of%]}
        case $of in
          '' | 0* | *[!0-9]*) of=0 ;;
          *) show "$count" "$of" "$module" ;;
        esac
        ;;
      *'Downloaded from '*)
        files=$((files + 1))
        if [ "$of" -eq 0 ]; then
          is_terminal && printf '\r%d files downloaded\033[K' "$files" >&2
        else
          is_terminal && show "$count" "$of" "$module, $files files downloaded"
        fi
        ;;
    esac
  done 3>"$1"
}

# --- the build -----------------------------------------------------------------------------------

# maven_build MODULE LOG: the jar of a module and of those that it needs, as Maven selects modules (-pl).
# Maven runs on the chosen JDK, so that it compiles in its own process instead of starting a compiler for
# each module, and without the second tier of the JIT compiler, which would cost more than it saves.
maven_build() {
  command -v mvn >/dev/null || fail "Maven (mvn) is needed for the build and is not on the PATH"
  (cd "$root" && JAVA_HOME=$jdk MAVEN_OPTS="-XX:TieredStopAtLevel=1 ${MAVEN_OPTS:-}" \
    exec mvn -B -Pquick -pl "$1" -am package) </dev/null 2>&1 | follow "$2"
  [ "${PIPESTATUS[0]}" -eq 0 ] && return
  clear_bar
  # Maven marks its errors so, if it came that far.
  { grep '^\[ERROR\]' "$2" || cat "$2"; } | tail -n 30 >&2
  fail "the build failed; all it said is in $2"
}
