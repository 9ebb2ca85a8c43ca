#!/bin/sh
# Makes the report page: web/build.sh SOURCE_FOLDER PAGE NPM.
# Without a working npm the page is empty, and sluice says so when one is asked for.
set -eu
source=$1 page=$2 npm=$3
folder=$(dirname "$page")

mkdir -p "$folder"
: >"$page"
if [ ! -x "$npm" ]; then
	echo "note: npm not found; sluice is built without its report page" >&2
	exit 0
fi
cp "$source/package.json" "$source/package-lock.json" "$folder"
if ! (cd "$folder" && "$npm" ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 >npm.log 2>&1); then
	echo "note: 'npm ci' failed (see $folder/npm.log); sluice is built without its report page" >&2
	exit 0
fi
node "$source/bundle.mjs" "$source" "$folder/node_modules" >"$page.tmp"
mv "$page.tmp" "$page"
