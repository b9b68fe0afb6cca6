// Runs a TypeScript file on the Node that `npm install` brought. npm puts node_modules/.bin first
// in PATH, so `node` is that one; this file stays plain JavaScript so that an older Node, found on
// a platform for which no Node is packaged, can still say what is missing.
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const OLDEST_MAJOR = 24
const major = Number(process.versions.node.split('.')[0])

if (major < OLDEST_MAJOR) {
  process.stderr.write(
    `This project runs on Node ${OLDEST_MAJOR} or later, and this is ${process.version}.\n` +
      'On Linux (x64, arm64) "npm install" brings it: run it again without --omit=optional.\n' +
      `On other systems install Node ${OLDEST_MAJOR} first.\n`,
  )
  process.exit(1)
}

const [file, ...args] = process.argv.slice(2)
process.argv = [process.argv[0], path.resolve(file), ...args]
await import(pathToFileURL(path.resolve(file)).href)
