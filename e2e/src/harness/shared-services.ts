import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { removeDataDir, type Service, startService } from './service.ts'
import type { StartedService } from './shared.ts'

/** What some of the files that share a service need, and the others do not notice. */
const SETTINGS = {
  MEDIA_FAULTS: 'true',
  RECONCILE_EVERY_SEC: '1',
  // An engine that is found on the machine would transcribe every recording of every file.
  TRANSCRIPTION_ENGINE_C: 'none',
}

/**
 * Starts a service for each worker that asks for one, and stops them all after the run: a worker is
 * ended without a chance to clean up behind itself.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const starting: Promise<Service>[] = []
  const desk = createServer((_request, response) => {
    const service = startService({ env: SETTINGS })
    starting.push(service)
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

  async function stopAll(): Promise<void> {
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
