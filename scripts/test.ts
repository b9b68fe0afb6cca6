import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { arePagesStale, buildPages } from '../server/src/local/web-pages.ts'
import { findOrInstallChromium } from './chromium.ts'

/**
 * Every test, one suite after the other: the browser suites want both cores for themselves.
 * `npm test -- server e2e` runs only the named suites.
 */
const SUITES = [
  { name: 'contract', config: 'contract/vitest.config.ts' },
  { name: 'server', config: 'server/vitest.config.ts' },
  { name: 'web', config: 'web/vitest.config.ts' },
  { name: 'media-server', config: 'media-server/vitest.config.ts' },
  { name: 'acceptance', config: 'media-server/vitest.acceptance.config.ts' },
  { name: 'bench', config: 'bench/vitest.config.ts' },
  { name: 'e2e', config: 'e2e/vitest.config.ts' },
] as const

interface Counts {
  passed: number
  failed: number
}

const ROOT = path.resolve(import.meta.dirname, '..')
const RESULTS = path.join(ROOT, 'test-results')

function runSuite(suite: (typeof SUITES)[number], chromium: string): Counts {
  const outputFile = path.join(RESULTS, `${suite.name}.json`)
  rmSync(outputFile, { force: true })
  process.stdout.write(`\n── ${suite.name}\n`)
  const { status } = spawnSync(
    'vitest',
    [
      'run',
      '--config',
      suite.config,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${outputFile}`,
    ],
    {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CHROMIUM_PATH: chromium },
    },
  )
  if (!existsSync(outputFile)) return { passed: 0, failed: 1 }

  const report = JSON.parse(readFileSync(outputFile, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
  }
  // A suite may fail outside of a test (a hook, an unhandled error): that is a failure too.
  const failed = Math.max(report.numFailedTests, status === 0 ? 0 : 1)
  return { passed: report.numPassedTests, failed }
}

const named = process.argv.slice(2)
const chosen = SUITES.filter((suite) => named.length === 0 || named.includes(suite.name))
mkdirSync(RESULTS, { recursive: true })
const chromium = findOrInstallChromium()
if (await arePagesStale()) await buildPages()

const total: Counts = { passed: 0, failed: 0 }
for (const suite of chosen) {
  const counts = runSuite(suite, chromium)
  total.passed += counts.passed
  total.failed += counts.failed
}
const line = `${total.passed} passed, ${total.failed} failed`
writeFileSync(path.join(RESULTS, 'summary.txt'), `${line}\n`)
process.stdout.write(`\n${line}\n`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
