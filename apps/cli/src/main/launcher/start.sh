# The part that all launchers of the semel command share: finds a JDK, prepares a fast start, starts.
# Source it with bash, and set
#   work      a private folder with the right to write
# and, before `rehearse` or `go`,
#   jdk       where Java is: choose_jdk finds it
#   app       the folder that holds semel-cli.jar and lib/
#   prepared  the folder for files that make starting fast; none of them is needed
#   archive   the file in it with classes that are ready to use: name_archive names it

readonly OLDEST_JDK=${OLDEST_JDK:-21}

fail() {
  printf 'semel: %s\n' "$*" >&2
  exit 1
}

# --- a JDK ---------------------------------------------------------------------------------------

# Prints a property of the JDK in a folder; nothing if there is none.
release_of() {
  local line
  if [ -x "$1/bin/java" ] && [ -r "$1/release" ]; then
    while IFS= read -r line; do
      case $line in
        "$2"=*)
          line=${line#*\"}
          printf '%s' "${line%\"*}"
          ;;
      esac
    done <"$1/release"
  fi
}

# Prints the major version of the JDK in a folder, 0 if there is none.
major_of() {
  local version
  version=$(release_of "$1" JAVA_VERSION)
  version=${version%%[!0-9]*}
  printf '%s' "${version:-0}"
}

new_enough() {
  [ "$(major_of "$1")" -ge "$OLDEST_JDK" ]
}

# The JDK that `java` on the PATH belongs to, through any number of links.
home_on_path() {
  local java
  java=$(command -v java) || return 1
  java=$(readlink -f "$java" 2>/dev/null) || return 1
  printf '%s' "${java%/bin/java}"
}

find_jdk() {
  local home best='' newest=0 major
  if home=$(home_on_path) && new_enough "$home"; then
    printf '%s' "$home"
    return
  fi
  for home in /usr/lib/jvm/* /usr/java/* /opt/* /opt/*/* /usr/local/*jdk* \
    "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    [ -x "$home/bin/java" ] || continue
    major=$(major_of "$home")
    if [ "$major" -gt "$newest" ]; then
      newest=$major
      best=$home
    fi
  done
  if [ "$newest" -lt "$OLDEST_JDK" ] && [ -x /usr/libexec/java_home ]; then
    best=$(/usr/libexec/java_home -v "$OLDEST_JDK+" 2>/dev/null) || best=''
    [ -n "$best" ] && newest=$OLDEST_JDK
  fi
  [ "$newest" -ge "$OLDEST_JDK" ] || return 1
  printf '%s' "$best"
}

# JAVA_HOME if it is new enough; else the JDK found last time, or now.
choose_jdk() {
  if [ -n "${JAVA_HOME:-}" ] && new_enough "$JAVA_HOME"; then
    jdk=$JAVA_HOME
    return
  fi
  jdk=''
  [ -r "$work/jdk" ] && IFS= read -r jdk <"$work/jdk"
  [ -n "$jdk" ] && [ -x "$jdk/bin/java" ] && return
  jdk=$(find_jdk) ||
    fail "no JDK >= $OLDEST_JDK was found: install one, or let JAVA_HOME name it"
  { mkdir -p "$work" && printf '%s\n' "$jdk" >"$work/jdk.$$" && mv -f "$work/jdk.$$" "$work/jdk"; } 2>/dev/null
}

# --- a fast start --------------------------------------------------------------------------------

# Flags must be the same when the archive is made and when it is used. picocli comes in a class
# format too old to be archived, and checking its bytecode takes longer than most commands: on the
# boot class path, with the JDK's own classes, it is not checked.
jvm_flags() {
  local picocli=("$app"/lib/picocli-*.jar)
  flags=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xmx256m -Xlog:disable
    --enable-native-access=ALL-UNNAMED "-Xbootclasspath/a:${picocli[0]}")
  if [ "$(major_of "$jdk")" -ge 24 ]; then
    use_archive=-XX:AOTCache=$archive
  else
    use_archive=-XX:SharedArchiveFile=$archive
  fi
}

# A server runs for long, so it gets the JVM's default compilers and collector, and half of the
# memory. One that runs out of memory must end instead of continuing half-finished work.
server_flags() {
  flags=(-XX:-UsePerfData -XX:MaxRAMPercentage=50 -XX:+ExitOnOutOfMemoryError
    --enable-native-access=ALL-UNNAMED)
}

# One for each JDK: an archive made by another build of it is of no use.
name_archive() {
  archive=$prepared/start-${jdk//\//_}-$(release_of "$jdk" JAVA_RUNTIME_VERSION)
}

# Runs the usual commands once, so that their classes can be archived ready to use. Starting works
# without it too, only more slowly: if it can't be made, an empty file keeps us from trying again.
rehearse() {
  local rehearsal=(dev.semel.cli.WarmUp "$prepared/native") classes=$archive.classes java
  jvm_flags
  java=("$jdk/bin/java" "${flags[@]}" "-Dorg.sqlite.lib.path=$prepared/native"
    -cp "$app/semel-cli.jar")
  rm -f "$prepared/start-${jdk//\//_}"-*
  case $use_archive in
    -XX:AOTCache=*)
      "${java[@]}" -XX:AOTMode=record "-XX:AOTConfiguration=$classes" "${rehearsal[@]}" &&
        "${java[@]}" -XX:AOTMode=create "-XX:AOTConfiguration=$classes" "-XX:AOTCache=$archive.new"
      rm -f "$classes"
      ;;
    *)
      "${java[@]}" "-XX:ArchiveClassesAtExit=$archive.new" "${rehearsal[@]}"
      ;;
  esac </dev/null >"$work/rehearsal.log" 2>&1
  [ -r "$archive.new" ] || : >"$archive.new"
  mv -f "$archive.new" "$archive"
}

# --- one at a time -------------------------------------------------------------------------------

# Waits until no other launcher has the folder. The lock of a dead holder does not count.
lock() {
  mkdir -p "$work" || fail "can't write to $work"
  if command -v flock >/dev/null; then
    exec 9>"$work/lock"
    flock -n 9 || { printf 'waiting for another launcher of Semel …\n' >&2; flock 9; }
    return
  fi
  local holder unnamed=0
  until mkdir "$work/lock.d" 2>/dev/null; do
    holder=''
    [ -r "$work/lock.d/pid" ] && IFS= read -r holder <"$work/lock.d/pid"
    [ -n "$holder" ] || unnamed=$((unnamed + 1))
    if { [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; } || [ "$unnamed" -gt 50 ]; then
      mv "$work/lock.d" "$work/lock.dead.$$" 2>/dev/null && rm -rf "$work/lock.dead.$$"
      unnamed=0
    else
      sleep 0.2
    fi
  done
  printf '%s\n' "$$" >"$work/lock.d/pid"
  trap 'rm -rf "$work/lock.d"' EXIT
}

# The command that replaces this process must not inherit the lock.
unlock() {
  if command -v flock >/dev/null; then
    exec 9>&-
  else
    rm -rf "$work/lock.d"
    trap - EXIT
  fi
}

# --- go ------------------------------------------------------------------------------------------

# True for long-running commands, which need other flags.
is_server() {
  [ "${1:-}" = serve ] || [ "${1:-}" = gateway ]
}

# Becomes the command. The first argument is the launcher's name.
go() {
  local called=$1 stream terminals=''
  shift
  if is_server "$@"; then
    server_flags
  else
    jvm_flags
    [ -s "$archive" ] && flags+=("$use_archive")
  fi

  # The command can't find out which of its streams are terminals.
  for stream in 0 1 2; do
    [ -t "$stream" ] && terminals+=$stream
  done

  # In the C locale, as in cron, a JVM reads all bytes beyond ASCII as the same question mark, and
  # two keys would become one. A command that semel runs gets the caller's locale back.
  case ${OSTYPE:-} in
    linux*)
      export SEMEL_CALLER_LC_ALL=${LC_ALL+=$LC_ALL}
      export LC_ALL=C.UTF-8
      ;;
  esac

  # SQLite's library, unpacked by the warm-up; if it is missing, the driver unpacks another one.
  exec "$jdk/bin/java" "${flags[@]}" "-Dorg.sqlite.lib.path=$prepared/native" \
    "-Dsemel.terminals=$terminals" "-Dsemel.command=$called" \
    -cp "$app/semel-cli.jar" dev.semel.cli.Main "$@"
}
