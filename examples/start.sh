# Shared functions of the examples' run scripts. Source it from bash.
root=$(CDPATH='' cd -P "${BASH_SOURCE[0]%/*}/.." && pwd) || exit 1
work=$root/apps/cli/target/launcher
# shellcheck source=../apps/cli/src/main/launcher/start.sh
. "$root/apps/cli/src/main/launcher/start.sh"

# shellcheck source=../apps/cli/src/main/launcher/build.sh
. "$root/apps/cli/src/main/launcher/build.sh"

# True if a module was built and no source has changed since. Checks the sources of all modules, which is more
# than necessary.
is_built() {
  local changed module sources=("$root/pom.xml")
  [ -e "$root/$1/target/built" ] || return 1
  while IFS= read -r module; do
    sources+=("$root/$module/pom.xml")
    [ -d "$root/$module/src/main" ] && sources+=("$root/$module/src/main")
  done < <(modules)
  changed=$(find "${sources[@]}" -newer "$root/$1/target/built" -print -quit 2>/dev/null) && [ -z "$changed" ]
}

build() {
  local before=$SECONDS
  printf 'building the example, first use only …\n' >&2
  mkdir -p "$root/$1/target" && : >"$root/$1/target/started"
  maven_build "$1" "$root/$1/target/build.log"
  mv -f "$root/$1/target/started" "$root/$1/target/built"
  clear_bar
  printf 'built the example in %d s\n' "$((SECONDS - before))" >&2
}

# Replaces the shell by a program of a module: run_java examples/java dev.semel.example.plain.PlainJava
# EXAMPLE_CLASSES may name a class path that already has it: then nothing is built.
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
