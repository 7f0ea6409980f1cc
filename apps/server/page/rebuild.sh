#!/usr/bin/env bash
# Makes the page's one file of other people's code, and the text of their licences beside it. Needs Node and npm;
# whoever runs Semel or changes its page needs neither: the results are committed.
set -euo pipefail
cd "$(dirname "$0")"
pages=../src/main/resources/dev/semel/server/page

# Without the addresses of a registry: each machine has its own.
npm install --no-audit --no-fund --omit-lockfile-registry-resolved
if grep -q '"resolved"' package-lock.json; then
  echo "rebuild.sh: package-lock.json names a registry: it must not" >&2
  exit 1
fi

npx --no-install esbuild vendor.js --bundle --format=esm --minify --target=es2022 --legal-comments=none \
  --outfile="$pages/vendor.js"
npx --no-install esbuild node_modules/uplot/dist/uPlot.min.css --minify --outfile="$pages/vendor.css"

{
  echo "vendor.js and vendor.css hold the following, each under its own licence."
  for name in preact @preact/signals @preact/signals-core htm uplot; do
    version=$(node -p "require('./node_modules/$name/package.json').version")
    licence=$(node -p "require('./node_modules/$name/package.json').license")
    printf '\n---- %s %s (%s)\n\n' "$name" "$version" "$licence"
    cat "node_modules/$name/LICENSE"
  done
} > "$pages/vendor-licences.txt"
ls -l "$pages"/vendor*
