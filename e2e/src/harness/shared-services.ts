import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type OwnService, removeDataDir, startService } from './service.ts'
import type { StartedService } from './shared.ts'

/** Settings that some files need, and that do not affect the others which share the service. */
const SETTINGS = {
  RECONCILE_EVERY_SEC: '1',
  // Otherwise an engine on this machine would transcribe every recording of every file.
  TRANSCRIPTION_ENGINE_C: 'none',
}

/**
 * Starts a service for each worker that asks for one, and stops them all after the run: a worker is ended without a chance to clean
 * up.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const starting: Promise<OwnService>[] = []
  let isOver = false
  const desk = createServer((_request, response) => {
    const service = startService({ env: SETTINGS, hasFaults: true })
    starting.push(service)
    void report(service)
    void service.then(
      ({ local, dataDir, outputFile }) => {
        const started: StartedService = { local, dataDir, outputFile }
        response.end(JSON.stringify(started))
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(desk, 'listening')
  const { port } = desk.address() as AddressInfo
  project.provide('serviceDesk', `http://127.0.0.1:${port}`)

  // A signal that ends the run ends the services too.
  const end = () => {
    void stopAll().finally(() => process.exit(1))
  }
  process.once('SIGTERM', end)

  /** Reports why a service ended in the middle of a run. */
  async function report(starting: Promise<OwnService>): Promise<void> {
    const service = await starting.catch(() => undefined)
    const how = await service?.ended
    if (service === undefined || isOver) return
    process.stderr.write(`a shared service ended (${how}):\n${service.output()}\n`)
  }

  async function stopAll(): Promise<void> {
    isOver = true
    desk.close()
    for (const started of await Promise.allSettled(starting)) {
      if (started.status === 'rejected') continue
      await started.value.stop()
      removeDataDir(started.value.dataDir)
    }
  }
  return async () => {
    process.off('SIGTERM', end)
    await stopAll()
  }
}
