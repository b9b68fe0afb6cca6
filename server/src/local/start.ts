import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { closeOnSignals } from '../lib/shutdown.ts'
import { type Plugin, startService } from '../service.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { ensureDemoTenant, type DemoTenant } from './demo-tenant.ts'
import { type LocalPlan, planLocalStart, type Running, startEmbedded } from './local-environment.ts'
import { playground } from './playground/playground.ts'
import { writePrivateJson } from './private-file.ts'
import { createProgress, type Progress } from './progress.ts'
import { StartError } from './start-error.ts'
import { arePagesStale, buildPages } from './web-pages.ts'

/** `npm start`: the service with everything it needs embedded, unless the settings name it. */
async function startLocal(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const progress = createProgress((text) => process.stdout.write(text))
  process.stdout.write('\nInterview Room Service\n\n')
  const plan = await planLocalStart(process.env)
  const lock = lockDataDir(plan.dataDir)
  const running: Running = {}
  const runtimeFile = path.join(plan.dataDir, 'runtime.json')

  async function stopAll(): Promise<void> {
    // The media server first: we are still there to be told who has left.
    await running.media?.stop()
    await running.service?.close()
    await running.postgres?.stop()
    rmSync(runtimeFile, { force: true })
    lock.release()
  }
  closeOnSignals(async () => {
    process.stdout.write('\n  Stopping …')
    await stopAll()
    process.stdout.write(' stopped\n')
  })
  try {
    await startAll({ plan, progress, running, runtimeFile })
  } catch (error) {
    await stopAll()
    throw error
  }
}

interface LocalStart {
  plan: LocalPlan
  progress: Progress
  running: Running
  runtimeFile: string
}

async function startAll({ plan, progress, running, runtimeFile }: LocalStart): Promise<void> {
  if (await arePagesStale()) await progress.step('Pages', buildPages)
  const config = await startEmbedded(plan, progress, running)
  let demo: DemoTenant | undefined
  running.service = await progress.step('Service', () =>
    startService(config, {
      prepare: async (deps): Promise<Plugin[]> => {
        if (!plan.embedsDatabase) return []
        demo = await ensureDemoTenant(deps, plan.dataDir)
        return [playground(deps, { local: demo.local, dataDir: plan.dataDir })]
      },
    }),
  )
  if (plan.embedsDatabase) writeRuntimeFile(runtimeFile, config)
  process.stdout.write(summary(plan, config, demo))
}

/** How `npm run admin` finds the embedded database. */
function writeRuntimeFile(file: string, config: Config): void {
  writePrivateJson(file, {
    database_url: config.databaseUrl,
    secrets_key: config.secretsKey.toString('base64'),
    allow_private_targets: config.webhooks.allowPrivateTargets,
  })
}

function summary(plan: LocalPlan, config: Config, demo: DemoTenant | undefined): string {
  const embedded = [
    plan.embedsDatabase ? 'PostgreSQL' : undefined,
    plan.embedsMedia ? 'media server' : undefined,
    config.storage.kind === 'folder' ? 'storage folder' : undefined,
  ].filter((part) => part !== undefined)
  const rows = [
    ['Open', demo === undefined ? `${config.publicUrl}/health` : config.publicUrl],
    ['API', `${config.publicUrl}/api/v1`],
    ['API key', demo?.isNew === true ? `${demo.local.api_key}  (shown this once)` : undefined],
    ['Tenant', demo?.local.tenant_id],
    ['For scripts', demo === undefined ? undefined : path.join(plan.dataDir, 'local.json')],
    ['Data and logs', plan.dataDir],
    ['Media', config.livekit.publicUrl],
    ['Embedded', embedded.length > 0 ? `${embedded.join(', ')} (for one machine)` : 'nothing'],
  ].filter((row) => row[1] !== undefined)
  const lines = rows.map(([label = '', value = '']) => `  ${label.padEnd(14)} ${value}`)
  return `\n${lines.join('\n')}\n\n  Ctrl-C stops everything.\n\n`
}

try {
  await startLocal()
} catch (error) {
  const isForPeople = error instanceof ConfigError || error instanceof StartError
  process.stderr.write(`\n${isForPeople ? error.message : ((error as Error).stack ?? error)}\n`)
  process.exit(1)
}
