import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What a suite came to. */
export interface SuiteResult {
  name: string
  passed: number
  failed: number
  skipped: number
  minutes: number
  files: readonly FileTime[]
}

interface FileTime {
  file: string
  seconds: number
}

interface JsonReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: { name: string; startTime: number; endTime: number }[]
}

const SLOWEST_MAX = 20

interface Run {
  name: string
  reportFile: string
  exitCode: number | null
  minutes: number
  root: string
}

/** A suite that left no report has failed. */
export function readResult({ name, reportFile, exitCode, minutes, root }: Run): SuiteResult {
  if (!existsSync(reportFile)) return { name, passed: 0, failed: 1, skipped: 0, minutes, files: [] }
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as JsonReport
  return {
    name,
    passed: report.numPassedTests,
    // A suite may fail outside of a test (a hook, an unhandled error): that is a failure too.
    failed: Math.max(report.numFailedTests, exitCode === 0 ? 0 : 1),
    skipped: report.numPendingTests,
    minutes,
    files: report.testResults.map((each) => ({
      file: path.relative(root, each.name),
      seconds: (each.endTime - each.startTime) / 1000,
    })),
  }
}

/** Minutes and counts by suite, and the slowest files: something to look at, never a reason to fail. */
export function describeRun(results: readonly SuiteResult[], minutes: number): string {
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
    '',
    'Minutes by suite (lanes run side by side)',
    ...rows,
    `${'all'.padEnd(14)}  ${minutes.toFixed(1).padStart(5)}`,
    '',
    `The ${SLOWEST_MAX} slowest files`,
    ...slowest,
    '',
  ].join('\n')
}

export function totalOf(results: readonly SuiteResult[]): { passed: number; failed: number } {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
  }
}
