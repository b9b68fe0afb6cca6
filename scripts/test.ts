import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { arePagesStale, buildPages } from '../server/src/api/pages/build-pages.ts'
import { installWithApt } from '../server/src/local/lib/apt.ts'
import { acceptanceScope } from './acceptance-scope.ts'
import { findOrInstallChromium, findOrInstallHeadlessShell } from './chromium.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { RESULTS, ROOT, runSuite } from './run-suite.ts'
import {
  LANES,
  type Lane,
  LONG_RUN,
  LONG_SETTINGS,
  SUITES,
  type Suite,
  suitesNamed,
} from './suites.ts'
import { describeRun, readCores, type SuiteResult, totalOf } from './test-report.ts'

/**
 * `npm test` runs the suites of an everyday run. `npm test -- server e2e` runs only these suites, `npm test -- server
 * create-room` only matching files, and `npm run test:long` the long forms.
 */
const { values, positionals } = parseArgs({
  options: { long: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const chosen = positionals.flatMap((word) => suitesNamed(word))
const files = positionals.filter((word) => suitesNamed(word).length === 0)
if (files.length > 0 && chosen.length === 0) {
  const names = SUITES.map(({ name }) => name).join(', ')
  throw new Error(
    `There is no suite "${files[0]}". A file follows the name of its suite: ${names}.`,
  )
}

mkdirSync(RESULTS, { recursive: true })
findOrInstallFfmpeg()
const headlessShell = findOrInstallHeadlessShell()
// The files of long tests are too large for memory: they take several gigabytes.
const memoryFolder = values.long ? undefined : makeMemoryFolder()
const env = {
  CHROMIUM_PATH: findOrInstallChromium(),
  ...(headlessShell !== undefined && { HEADLESS_SHELL_PATH: headlessShell }),
  ...(memoryFolder !== undefined && { TMPDIR: memoryFolder }),
}
if (await arePagesStale()) await buildPages()

const started = performance.now()
const coresBefore = readCores()
const results = await (values.long ? runLong() : runLanes())
const minutes = (performance.now() - started) / 60_000
const cores = readCores()
const [busy, idle] = [cores.busy - coresBefore.busy, cores.idle - coresBefore.idle]
const report = describeRun(results, { minutes, busyShare: busy / (busy + idle) })
const { passed, failed } = totalOf(results)
const line = `${passed} passed, ${failed} failed`
writeFileSync(path.join(RESULTS, 'report.txt'), report)
writeFileSync(path.join(RESULTS, 'summary.txt'), `${line}\n`)
process.stdout.write(`${report}\n${line}\n`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

function isChosen(suite: Suite): boolean {
  return chosen.length === 0 || chosen.includes(suite)
}

async function runLanes(): Promise<SuiteResult[]> {
  return (await Promise.all(LANES.map(runLane))).flat()
}

async function runLane({ suites, niceness }: Lane): Promise<SuiteResult[]> {
  const done: SuiteResult[] = []
  for (const suite of suites.filter(isChosen)) {
    const scope = suite.name === 'acceptance' ? { TEST_SCOPE: scopeOfAcceptance() } : {}
    done.push(await runSuite(suite, { files, niceness, env: { ...scope, ...env } }))
  }
  return done
}

/** A file named on the command line always runs, even if an everyday run leaves it out. */
function scopeOfAcceptance(): string {
  return files.length > 0 ? 'whole' : acceptanceScope(ROOT)
}

/** Runs one suite after the other, because some of them measure. */
async function runLong(): Promise<SuiteResult[]> {
  const done: SuiteResult[] = []
  for (const each of LONG_RUN) {
    if (!isChosen(each.suite)) continue
    const named = files.length > 0 ? files : each.files
    done.push(
      await runSuite(each.suite, { files: named, niceness: 0, env: { ...LONG_SETTINGS, ...env } }),
    )
  }
  return done
}

/** The tests use the system's ffmpeg, as the service does. */
function findOrInstallFfmpeg(): void {
  if (hasFfmpeg()) return
  process.stdout.write('No ffmpeg found; installing the system package …\n')
  if (installWithApt(['ffmpeg']) && hasFfmpeg()) return
  throw new Error('The tests of recordings need ffmpeg 5 or later: install it.')
}

function hasFfmpeg(): boolean {
  return spawnSync('ffmpeg', ['-version']).status === 0
}
