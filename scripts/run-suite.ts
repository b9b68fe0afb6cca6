import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Suite } from './suites.ts'
import { readResult, type SuiteResult } from './test-report.ts'

export const ROOT = path.resolve(import.meta.dirname, '..')
export const RESULTS = path.join(ROOT, 'test-results')

interface Options {
  /** Parts of file names. An empty list selects all files. */
  files: readonly string[]
  niceness: number
  env: Readonly<Record<string, string>>
}

/** Runs a suite to its end. Its output lines start with its name, because another suite may run beside it. */
export async function runSuite(
  suite: Suite,
  { files, niceness, env }: Options,
): Promise<SuiteResult> {
  const reportFile = path.join(RESULTS, `${suite.name}.json`)
  rmSync(reportFile, { force: true })
  const started = performance.now()
  const child = spawn(
    'nice',
    [
      '-n',
      String(niceness),
      process.execPath,
      path.join(ROOT, 'node_modules/.bin/vitest'),
      'run',
      ...files,
      `--config=${suite.config}`,
      ...(suite.project === undefined ? [] : [`--project=${suite.project}`]),
      ...(files.length > 0 ? ['--passWithNoTests'] : []),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
    ],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  )
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) =>
      process.stdout.write(`${suite.name.padEnd(12)} | ${line}\n`),
    )
  }
  const [exitCode] = (await once(child, 'close')) as [number | null]
  const minutes = (performance.now() - started) / 60_000
  return readResult({ name: suite.name, reportFile, exitCode, minutes, root: ROOT })
}
