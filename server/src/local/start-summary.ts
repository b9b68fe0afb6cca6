import path from 'node:path'
import { type Config, hostInUrl } from '../platform/config/config.ts'
import type { LocalPlan } from './local-environment.ts'
import { type Machine, missingOn } from './missing-parts.ts'
import type { DemoTenant } from './playground/demo-tenant.ts'
import { reachesLoopback } from './playground/guard.ts'
import { describeBindings } from './speech-program.ts'

/** The width of a label. */
const INDENT = ' '.repeat(17)

export interface StartResult extends Machine {
  plan: Pick<
    LocalPlan,
    'dataDir' | 'embedsDatabase' | 'embedsMedia' | 'isPlaygroundOpen' | 'speech'
  >
  config: Pick<Config, 'host' | 'port' | 'publicUrl' | 'storage' | 'transcription' | 'livekit'>
  /** Undefined if the settings name a database. */
  demo: (Pick<DemoTenant, 'isNew'> & { local: { api_key: string; tenant_id: string } }) | undefined
  databaseFolder: string | undefined
}

/** The text that the start prints at its end. Without a terminal, the output is a file, a pipe or a log, so it contains no key. */
export function startSummary(
  { plan, config, demo, databaseFolder, ...machine }: StartResult,
  { isTerminal }: { isTerminal: boolean },
): string {
  const embedded = [
    plan.embedsDatabase ? 'PostgreSQL' : undefined,
    plan.embedsMedia ? 'media server' : undefined,
    config.storage.kind === 'folder' ? 'storage folder' : undefined,
  ].filter((part) => part !== undefined)
  const localFile = path.join(plan.dataDir, 'local.json')
  const key = isTerminal ? `${demo?.local.api_key}  (shown this once)` : `in ${localFile}`
  const rows = [
    ['Open', demo === undefined ? `${config.publicUrl}/health` : openAt(plan, config)],
    ['Playground', demo && describePlayground(plan, config)],
    ['API', `${config.publicUrl}/api/v1`],
    ['API key', demo?.isNew === true ? key : undefined],
    ['Tenant', demo?.local.tenant_id],
    ['For scripts', demo && localFile],
    ['Data and logs', plan.dataDir],
    ['Database', databaseFolder?.startsWith(plan.dataDir) === true ? undefined : databaseFolder],
    ['Media', config.livekit.publicUrl],
    ['Transcription', describeBindings(config.transcription.bindings, plan.speech)],
    ['Embedded', embedded.length > 0 ? `${embedded.join(', ')} (for one machine)` : 'nothing'],
    ['Missing', describeMissing(machine)],
  ].filter((row) => row[1] !== undefined)
  const lines = rows.map(([label = '', value = '']) => `  ${label.padEnd(14)} ${value}`)
  return `\n${lines.join('\n')}\n\n  Ctrl-C stops everything.\n\n`
}

/** The address at which the playground can be opened. */
function openAt({ isPlaygroundOpen }: StartResult['plan'], config: StartResult['config']): string {
  const { host, port, publicUrl } = config
  const isOwnName = ['localhost', hostInUrl(host)].includes(new URL(publicUrl).hostname)
  if (isPlaygroundOpen || (isOwnName && reachesLoopback(host))) return publicUrl
  return reachesLoopback(host) ? `http://localhost:${port}` : `${publicUrl}/health`
}

function describePlayground(
  { isPlaygroundOpen }: StartResult['plan'],
  { host }: StartResult['config'],
): string {
  if (isPlaygroundOpen)
    return 'open to everybody who reaches this address, with all that the tenant may do'
  const toOpen = 'PLAYGROUND_OPEN=true opens it to everybody'
  if (reachesLoopback(host)) return `for this machine only; ${toOpen}`
  return `for nobody: it is for this machine only, and nothing listens at localhost; ${toOpen}`
}

/** Everything that the machine lacks, and one command that installs it. Undefined if it lacks nothing. */
function describeMissing(machine: Machine): string | undefined {
  const missing = missingOn(machine)
  if (missing.length === 0) return undefined
  const install = `apt-get install ${missing.map((each) => each.package).join(' ')}`
  return [...missing.map(({ without }) => without), `To install: ${install}`].join(`\n${INDENT}`)
}
