import { connectProblem } from '../platform/db/connect-problem.ts'
import { sqlStateOf } from '../platform/db/db.ts'
import { TargetError } from '../platform/lib/target-guard.ts'
import { TokenKeyError } from '../platform/tenants/add-token-key.ts'
import { BrandingError } from '../platform/tenants/branding.ts'
import { ConsentSettingsError } from '../platform/tenants/consent-settings.ts'
import { FrameAncestorsError } from '../platform/tenants/frame-ancestors.ts'
import { UnknownTenantError } from '../platform/tenants/manage-tenants.ts'
import { AmbiguousEndpointError } from '../platform/webhooks/set-endpoint.ts'
import { BOARD_COMMANDS } from './board-commands.ts'
import { BRANDING_COMMANDS } from './branding-commands.ts'
import { CommandError, UsageError } from './command-error.ts'
import { readCommandLine } from './command-line.ts'
import type { AdminDeps, Answer, Commands } from './command.ts'
import { CONSENT_COMMANDS } from './consent-commands.ts'
import { DATA_SUBJECT_COMMANDS, LEGAL_HOLD_COMMANDS } from './data-protection-commands.ts'
import { LIMIT_COMMANDS } from './limit-commands.ts'
import {
  CHECK_COMMANDS,
  DELIVERY_COMMANDS,
  ENDPOINT_COMMANDS,
  RECORDER_COMMANDS,
  JOB_COMMANDS,
} from './monitoring-commands.ts'
import { requireSecretsKey } from './require-secrets-key.ts'
import { RETENTION_COMMANDS } from './retention-commands.ts'
import { SECRET_COMMANDS } from './secret-commands.ts'
import { SESSION_COMMANDS } from './session-commands.ts'
import { STORAGE_COMMANDS } from './storage-commands.ts'
import { API_KEY_COMMANDS, TENANT_COMMANDS } from './tenant-commands.ts'
import { OPERATOR_COMMANDS, TOKEN_KEY_COMMANDS } from './token-key-commands.ts'
import { WEBHOOK_COMMANDS } from './webhook-commands.ts'

const COMMANDS: Commands = {
  tenants: { ...TENANT_COMMANDS, ...CONSENT_COMMANDS, ...BRANDING_COMMANDS, ...LIMIT_COMMANDS },
  'api-keys': API_KEY_COMMANDS,
  'token-keys': TOKEN_KEY_COMMANDS,
  operators: { ...OPERATOR_COMMANDS, ...BOARD_COMMANDS },
  'data-subjects': DATA_SUBJECT_COMMANDS,
  'legal-holds': LEGAL_HOLD_COMMANDS,
  retention: RETENTION_COMMANDS,
  secrets: SECRET_COMMANDS,
  sessions: SESSION_COMMANDS,
  webhooks: WEBHOOK_COMMANDS,
  jobs: JOB_COMMANDS,
  deliveries: DELIVERY_COMMANDS,
  endpoints: ENDPOINT_COMMANDS,
  recorders: RECORDER_COMMANDS,
  check: CHECK_COMMANDS,
  storage: STORAGE_COMMANDS,
}

export interface AdminResult {
  exitCode: 0 | 1 | 2
  stdout: string
  stderr: string
}

export interface OpenedDeps {
  deps: AdminDeps
  /** Looks at the time of the database, by which commands decide as every process does. */
  prepare?: () => Promise<void>
  close(): Promise<void>
}

/**
 * One call of `npm run admin`. The database is opened only when a command is known and complete.
 * Exit code 1: could not be done; 2: wrong use.
 */
export async function runAdmin(args: string[], open: () => OpenedDeps): Promise<AdminResult> {
  const line = readCommandLine(args, COMMANDS)
  if ('exitCode' in line) return line
  const { command, options, usage } = line
  let opened: OpenedDeps | undefined
  try {
    opened = open()
    await opened.prepare?.()
    if (command.usesSecretsKey === true) await requireSecretsKey(opened.deps)
    const written: string[] = []
    const answer = await command.run(opened.deps, options, (text) => void written.push(text))
    const exitCode = command.hasFailed?.(answer) === true ? 1 : 0
    const printed = print(answer, options.flag('json'))
    if (written.length === 0) return { exitCode, stdout: printed, stderr: '' }
    return { exitCode, stdout: written.join(''), stderr: printed }
  } catch (error) {
    const url = opened?.deps.config.databaseUrl
    const ofDatabase = schemaProblem(error) ?? (url && connectProblem(error, url))
    return failureOf(error, { ofDatabase, usage })
  } finally {
    await opened?.close()
  }
}

/** By the SQL state, of a table or a column that is not there. */
const ABSENT_IN_SCHEMA = new Set(['42P01', '42703'])

function schemaProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !ABSENT_IN_SCHEMA.has(sqlStateOf(error) ?? '')) return undefined
  return `the database does not have the schema of this release: run "npm run migrate" (${error.message})`
}

function print(answer: Answer, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(answer)}\n`
  const records = Array.isArray(answer) ? answer : [answer]
  if (records.length === 0) return 'none\n'
  return `${records.map((record: object) => printRecord(record)).join('\n\n')}\n`
}

function printRecord(record: object): string {
  return Object.entries(record)
    .map(([name, value]) => {
      const text =
        typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '-')
      return `${name.padEnd(22)} ${text}`
    })
    .join('\n')
}

function failureOf(
  error: unknown,
  { ofDatabase, usage }: { ofDatabase: string | undefined; usage: string },
): AdminResult {
  if (error instanceof UsageError) {
    return { exitCode: 2, stdout: '', stderr: `${error.message}\n${usage}\n` }
  }
  // Every command that takes an address takes it as --url.
  if (error instanceof TargetError) {
    return { exitCode: 1, stdout: '', stderr: `--url ${error.message}\n` }
  }
  const isKnown =
    error instanceof CommandError ||
    error instanceof TokenKeyError ||
    error instanceof BrandingError ||
    error instanceof ConsentSettingsError ||
    error instanceof FrameAncestorsError ||
    error instanceof UnknownTenantError ||
    error instanceof AmbiguousEndpointError
  const message = ofDatabase ?? (error instanceof Error ? messageOf(error) : String(error))
  const stderr = isKnown ? `${message}\n` : `could not be done: ${message}\n`
  return { exitCode: 1, stdout: '', stderr }
}

function messageOf(error: Error): string {
  if (!(error instanceof AmbiguousEndpointError)) return error.message
  return `${error.message}: name one with --endpoint <id>; \`webhooks list\` shows them`
}
