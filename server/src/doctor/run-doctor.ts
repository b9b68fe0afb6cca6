import { parseArgs } from 'node:util'
import { CommandError } from '../admin/command-error.ts'
import { type Environment, environmentOf } from '../admin/open-deps.ts'
import { type DiagnosisOptions, diagnose } from '../diagnosis/diagnose.ts'
import { type CheckResult, fail, warn } from '../platform/checks/check.ts'
import { type Config, ConfigError, loadConfig } from '../platform/config/config.ts'
import { argumentProblem } from '../platform/lib/argument-problem.ts'
import { settlesWithin } from '../platform/lib/settles-within.ts'
import type { Deps } from '../platform/ports/deps.ts'

const HELP = `usage: npm run doctor -- [--json]

Checks database, keys, addresses, storage, LiveKit, recorder, ffmpeg, pages and disk with the settings of the
environment or .env, or of the service that runs on DATA_DIR. Run it where a worker runs, while the service runs.
Exit code 1: a check failed. 2: wrong use.
`

/** All findings are complete by then. A part that keeps its connection is closed by the end of the process. */
const CLOSE_MS = 5_000

interface DoctorResult {
  exitCode: 0 | 1 | 2
  stdout: string
  stderr: string
}

interface OpenedDoctor extends DiagnosisOptions {
  deps: Deps
  prepare(): Promise<void>
  close(): Promise<void>
}

/** One call of `npm run doctor`. */
export async function runDoctor(
  args: string[],
  env: Environment,
  open: (config: Config) => OpenedDoctor,
): Promise<DoctorResult> {
  const line = readLine(args)
  if (typeof line === 'string') return { exitCode: 2, stdout: '', stderr: `${line}\n${HELP}` }
  if (line.help) return { exitCode: 0, stdout: HELP, stderr: '' }
  const findings = await examineAll(env, open)
  const exitCode = findings.some(({ result }) => result === 'fail') ? 1 : 0
  const stdout = line.json ? `${JSON.stringify({ checks: findings })}\n` : print(findings)
  return { exitCode, stdout, stderr: '' }
}

function readLine(args: string[]): { json: boolean; help: boolean } | string {
  try {
    const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
    const { values } = parseArgs({ args, options })
    return { json: values.json ?? false, help: values.help ?? false }
  } catch (error) {
    return argumentProblem(error) ?? String(error)
  }
}

async function examineAll(
  env: Environment,
  open: (config: Config) => OpenedDoctor,
): Promise<CheckResult[]> {
  const config = readSettings(env)
  if (Array.isArray(config)) return config
  const opened = open(config)
  try {
    // Without the database, this machine's time will do. A later check reports that it is away.
    await opened.prepare().catch(() => {})
    return [...warnOfNames(config), ...(await diagnose(opened.deps, opened))]
  } finally {
    await settlesWithin(opened.close(), CLOSE_MS)
  }
}

function warnOfNames({ ineffective }: Config): CheckResult[] {
  const mend = 'Correct the name, or remove it.'
  return ineffective.map((sentence) => ({ check: 'configuration', ...warn(sentence, mend) }))
}

/** The configuration, or a finding for each setting that is wrong. */
function readSettings(env: Environment): Config | CheckResult[] {
  const mend = 'See .env.example for what every setting takes.'
  try {
    return loadConfig(environmentOf(env))
  } catch (error) {
    if (error instanceof CommandError) {
      return [{ check: 'configuration', ...fail(error.message, mend) }]
    }
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((problem) => ({ check: 'configuration', ...fail(problem, mend) }))
  }
}

const SIGNS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL', skipped: 'skip' } as const

/** A line for each check, and one that sums up. */
function print(findings: readonly CheckResult[]): string {
  const lines = findings.map(({ check, result, detail, mend }) => {
    const end = /[.?]$/.test(detail) ? '' : '.'
    const advice = mend === undefined ? '' : `${end} ${mend}`
    return `${SIGNS[result]}  ${check.padEnd(24)} ${detail}${advice}`
  })
  const count = (wanted: CheckResult['result']) =>
    findings.filter(({ result }) => result === wanted).length
  const failed = count('fail')
  const sum = failed === 0 ? 'Nothing failed' : `${failed} failed`
  return `${lines.join('\n')}\n\n${sum}, ${count('warn')} to look at, ${count('skipped')} skipped.\n`
}
