import { rmSync } from 'node:fs'
import path from 'node:path'
import { arePagesBuilt, arePagesStale, buildPages } from '../api/pages/build-pages.ts'
import { type Config, ConfigError } from '../platform/config/config.ts'
import { loadEnvFile } from '../platform/lib/env-file.ts'
import { closeOnSignals } from '../platform/lib/shutdown.ts'
import { type Plugin, standardError, startService } from '../service.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { writePrivateJson } from './lib/private-file.ts'
import { StartError } from './lib/start-error.ts'
import {
  type LocalPlan,
  planLocalStart,
  type RunningParts,
  refuseTakenPort,
  startEmbedded,
} from './local-environment.ts'
import { installMissing, lookAtMachine } from './missing-parts.ts'
import { type DemoTenant, ensureDemoTenant } from './playground/demo-tenant.ts'
import { playground } from './playground/playground.ts'
import { createProgress, type Progress } from './progress.ts'
import { createStartLog } from './start-log.ts'
import { startSummary } from './start-summary.ts'

/** `npm run dev` shows the pages of the sources itself, so a restart need not build them. */
const HAS_OTHER_PAGES = process.argv.includes('--keep-pages')

/**
 * `npm start`: the service with everything it needs embedded, unless the settings name it.
 * @param mediaProgram the program of the media server, where it is not that of the product.
 */
export async function startLocal(mediaProgram?: string): Promise<void> {
  try {
    await startOrStop(mediaProgram)
  } catch (error) {
    process.stderr.write(`\n${textFor(error)}\n`)
    process.exit(1)
  }
}

async function startOrStop(mediaProgram: string | undefined): Promise<void> {
  loadEnvFile()
  const progress = createProgress({
    write: (text) => process.stdout.write(text),
    isTerminal: process.stdout.isTTY,
  })
  const complain = (error: unknown) => {
    // The failing start has printed it already; a mere stop needs no more than a line.
    if (error instanceof Error) progress.problem(error.message)
  }
  process.stdout.write('\nInterview Room Service\n\n')
  const plan = { ...planLocalStart(process.env), mediaProgram }
  const lock = lockDataDir(plan.dataDir)
  const running: RunningParts = {}
  const runtimeFile = path.join(plan.dataDir, 'runtime.json')
  let stopping: Promise<void> | undefined

  async function stopAll(): Promise<void> {
    // The media server first: we are still there to receive its webhooks. What fails to stop, or
    // never came up, must not keep the rest running.
    await running.media?.then((media) => media.stop()).catch(complain)
    await running.service?.then((service) => service.close()).catch(complain)
    await running.postgres?.then((database) => database.stop()).catch(complain)
    rmSync(runtimeFile, { force: true })
    lock.release()
  }
  const stopOnce = () => (stopping ??= stopAll())
  closeOnSignals(async () => {
    // Below the ^C.
    progress.makeRoom()
    process.stdout.write('\n')
    await progress.step('Stopping', stopOnce, 'stopped')
  }, plan)
  try {
    await refuseTakenPort(plan)
    await startAll({ plan, progress, running, runtimeFile })
  } catch (error) {
    // Somebody pressed Ctrl-C during the start: that is not a failure, and the signal ends the process.
    if (stopping !== undefined) return
    await stopOnce()
    throw error
  }
}

interface LocalStart {
  plan: LocalPlan
  progress: Progress
  running: RunningParts
  runtimeFile: string
}

async function startAll({ plan, progress, running, runtimeFile }: LocalStart): Promise<void> {
  if (HAS_OTHER_PAGES ? !arePagesBuilt() : await arePagesStale()) {
    await progress.step('Pages', buildPages)
  }
  if (plan.installsMissing) {
    await installMissing(await lookAtMachine(undefined), progress)
  }
  const config = await startEmbedded(plan, progress, running)
  let demo: DemoTenant | undefined
  const isTerminal = process.stderr.isTTY
  const logTo = createStartLog({ progress, stream: standardError(), isTerminal })
  running.service = progress.step('Service', () =>
    startService(config, {
      logTo,
      prepare: async (deps): Promise<Plugin[]> => {
        if (!plan.embedsDatabase) return []
        demo = await ensureDemoTenant(deps, plan.dataDir)
        const { dataDir, isPlaygroundOpen: isOpen } = plan
        return [playground(deps, { local: demo.local, dataDir, isOpen })]
      },
    }),
  )
  await running.service
  if (plan.embedsDatabase) writeRuntimeFile(runtimeFile, config, plan)
  const database = await running.postgres
  const machine = await lookAtMachine(config.ffmpegPath)
  const started = { plan, config, demo, databaseFolder: database?.folder, ...machine }
  process.stdout.write(startSummary(started, { isTerminal: process.stdout.isTTY }))
}

/** How `npm run admin` and `npm run doctor` find what is embedded. */
function writeRuntimeFile(file: string, config: Config, { env }: LocalPlan): void {
  const { apiUrl, egressUrls, publicUrl, apiKey, apiSecret } = config.livekit
  writePrivateJson(file, {
    public_url: config.publicUrl,
    database_url: config.databaseUrl,
    secrets_key: config.secretsKey.toString('base64'),
    allow_private_targets: env['WEBHOOKS_ALLOW_PRIVATE_TARGETS'],
    livekit: {
      url: apiUrl,
      egress_url: egressUrls.join(','),
      public_url: publicUrl,
      key: apiKey,
      secret: apiSecret,
    },
  })
}

function textFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError || error instanceof StartError) return error.message
  return error.stack ?? error.message
}
