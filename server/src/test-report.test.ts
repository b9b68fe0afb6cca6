import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { describeRun, readResult, totalOf } from '../../scripts/test-report.ts'

const ROOT = mkdtempSync(path.join(tmpdir(), 'test-report-'))

interface FileReport {
  name: string
  status: 'passed' | 'failed'
  tests: readonly ('passed' | 'failed' | 'skipped')[]
  message?: string
}

function resultOf(files: readonly FileReport[]) {
  const count = (status: string) =>
    files.flatMap(({ tests }) => tests).filter((each) => each === status).length
  const reportFile = path.join(ROOT, 'server.json')
  const report = {
    numPassedTests: count('passed'),
    numPendingTests: count('skipped'),
    testResults: files.map(({ name, status, tests, message = '' }) => ({
      name: path.join(ROOT, name),
      startTime: 0,
      endTime: 1000,
      status,
      message,
      assertionResults: tests.map((each, at) => ({
        fullName: `test ${at}`,
        status: each,
        failureMessages: each === 'failed' ? ['expected 1 to be 2'] : [],
      })),
    })),
  }
  writeFileSync(reportFile, JSON.stringify(report))
  return readResult({ name: 'server', reportFile, exitCode: 1, minutes: 1, root: ROOT })
}

test('every file that failed outside of its tests counts, and so does every test that failed', () => {
  const result = resultOf([
    { name: 'a.test.ts', status: 'failed', tests: ['passed', 'failed'] },
    { name: 'b.test.ts', status: 'failed', tests: ['skipped', 'skipped'], message: 'no database' },
    { name: 'c.test.ts', status: 'failed', tests: [], message: 'no such module' },
    { name: 'd.test.ts', status: 'failed', tests: ['failed'], message: 'not closed' },
    { name: 'e.test.ts', status: 'passed', tests: ['passed'] },
  ])
  expect(totalOf([result])).toEqual({ passed: 2, failed: 5 })
  const text = describeRun([result], { minutes: 1, busyShare: 1 })
  expect(text).toContain('What failed (5)')
  for (const message of ['no database', 'no such module', 'not closed']) {
    expect(text).toContain(message)
  }
})

test('a suite that failed outside of its files counts once', () => {
  const result = resultOf([{ name: 'a.test.ts', status: 'passed', tests: ['passed'] }])
  expect(totalOf([result])).toEqual({ passed: 1, failed: 1 })
})
