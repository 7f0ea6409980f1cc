# What the examples' run scripts have in common. To be sourced by bash.
root=$(CDPATH='' cd -P "${BASH_SOURCE[0]%/*}/.." && pwd) || exit 1
work=$root/semel-cli/target/launcher
# shellcheck source=../semel-cli/src/main/launcher/start.sh
. "$root/semel-cli/src/main/launcher/start.sh"

# True if a module's build is there and nothing it was made from has changed since.
is_built() {
  local changed
  [ -e "$root/$1/target/built" ] || return 1
  changed=$(find "$root/pom.xml" "$root"/semel-*/pom.xml "$root"/semel-*/src/main "$root/$1/pom.xml" "$root/$1/src/main" \
    -newer "$root/$1/target/built" -print -quit 2>/dev/null)
  [ -z "$changed" ]
}

build() {
  local log=$root/$1/target/build.log
  command -v mvn >/dev/null || fail "Maven (mvn) is needed for the build and is not on the PATH"
  printf 'building the example, first use only …\n' >&2
  mkdir -p "$root/$1/target" && : >"$root/$1/target/started"
  if ! (cd "$root" && JAVA_HOME=$jdk mvn -q -B -ntp -Pquick -pl "$1" -am package) </dev/null >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    fail "the build failed; all it said is in $log"
  fi
  mv -f "$root/$1/target/started" "$root/$1/target/built"
}

# Becomes a program of a module: run_java examples/java dev.semel.example.plain.PlainJava
# EXAMPLE_CLASSES names a class path that has it already: nothing is built then.
run_java() {
  local module=$1 classes=${EXAMPLE_CLASSES:-}
  shift
  choose_jdk
  if [ -z "$classes" ]; then
    is_built "$module" || build "$module"
    classes="$root/$module/target/classes:$root/$module/target/lib/*"
  fi
  exec "$jdk/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
    "-Djava.io.tmpdir=${TMPDIR:-/tmp}" -cp "$classes" "$@"
}
