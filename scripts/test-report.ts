import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** The result of one suite. */
export interface SuiteResult {
  name: string
  passed: number
  failed: number
  skipped: number
  minutes: number
  files: readonly FileTime[]
  failures: readonly Failure[]
}

/** A test that failed, or a file that failed outside of its tests. */
interface Failure {
  file: string
  test: string
  /** The error message, with its place in the code. */
  message: string
}

interface FileTime {
  file: string
  seconds: number
}

interface JsonReport {
  numPassedTests: number
  numPendingTests: number
  testResults: JsonFile[]
}

interface JsonFile {
  name: string
  startTime: number
  endTime: number
  status: string
  /** The error of an import or a hook, outside of any test. Empty if there was none. */
  message: string
  assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[]
}

const SLOWEST_MAX = 20
const FAILURES_MAX = 40
const MESSAGE_LINES_MAX = 24

interface Run {
  name: string
  reportFile: string
  exitCode: number | null
  minutes: number
  root: string
}

/** A suite without a report has failed. */
export function readResult({ name, reportFile, exitCode, minutes, root }: Run): SuiteResult {
  if (!existsSync(reportFile)) {
    const failures = [{ file: name, test: 'the whole suite', message: 'It left no report.' }]
    return { name, passed: 0, failed: 1, skipped: 0, minutes, files: [], failures }
  }
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as JsonReport
  const failures = report.testResults.flatMap((each) => failuresOf(each, root))
  if (failures.length === 0 && exitCode !== 0) {
    const message = `It ended with exit code ${exitCode}; its output says why.`
    failures.push({ file: name, test: 'outside of its files', message })
  }
  return {
    name,
    passed: report.numPassedTests,
    // An import, a hook or an unhandled error may fail outside of a test. That is a failure, too.
    failed: failures.length,
    skipped: report.numPendingTests,
    minutes,
    files: report.testResults.map((each) => ({
      file: path.relative(root, each.name),
      seconds: (each.endTime - each.startTime) / 1000,
    })),
    failures,
  }
}

function failuresOf(each: JsonFile, root: string): Failure[] {
  const file = path.relative(root, each.name)
  const tests = each.assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      file,
      test: fullName,
      message: (failureMessages ?? []).join('\n'),
    }))
  if (each.status !== 'failed' || (tests.length > 0 && each.message === '')) return tests
  return [...tests, { file, test: 'outside of its tests', message: each.message }]
}

/** Minutes and counts by suite, and the slowest files. They are only for information. */
export function describeRun(
  results: readonly SuiteResult[],
  { minutes, busyShare }: { minutes: number; busyShare: number },
): string {
  const rows = results.map((each) =>
    [
      each.name.padEnd(14),
      each.minutes.toFixed(1).padStart(5),
      `${each.passed} passed, ${each.failed} failed, ${each.skipped} skipped`.padStart(40),
    ].join('  '),
  )
  const slowest = results
    .flatMap(({ files }) => files)
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST_MAX)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
  return [
    ...describeFailures(results),
    '',
    'Minutes by suite (lanes run side by side)',
    ...rows,
    `${'all'.padEnd(14)}  ${minutes.toFixed(1).padStart(5)}  cores busy: ${Math.round(busyShare * 100)} %`,
    '',
    `The ${SLOWEST_MAX} slowest files`,
    ...slowest,
    '',
  ].join('\n')
}

/** Busy and idle milliseconds of all cores together since the machine started. */
export function readCores(): { busy: number; idle: number } {
  const times = cpus().map((core) => core.times)
  const busy = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0)
  return { busy, idle: times.reduce((sum, { idle }) => sum + idle, 0) }
}

/** The failures come last, because people look for them at the end of a long output. */
function describeFailures(results: readonly SuiteResult[]): string[] {
  const failures = results.flatMap((suite) => suite.failures)
  if (failures.length === 0) return []
  const shown = failures.slice(0, FAILURES_MAX).flatMap(({ file, test, message }) => [
    `  ${file}: ${test}`,
    ...stripVTControlCharacters(message)
      .split('\n')
      .slice(0, MESSAGE_LINES_MAX)
      .map((line) => `    ${line}`),
  ])
  return ['', `What failed (${failures.length})`, ...shown]
}

export function totalOf(results: readonly SuiteResult[]): { passed: number; failed: number } {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
  }
}
