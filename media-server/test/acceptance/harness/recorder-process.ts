import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { EgressClient } from 'livekit-server-sdk'
import { test as base } from './fixtures.ts'
import { startTcpProxy } from './tcp-proxy.ts'
import { until } from './until.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/interview-recorder.js', import.meta.url))

/** A recorder as a process beside the server under test, behind a connection that can be broken. */
export const test = base.extend('recorder', async ({ stage }, { onCleanup }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'recorder-process-'))
  const proxy = await startTcpProxy(stage.url)
  let child: ChildProcess | undefined
  let url = ''
  const log: string[] = []
  onCleanup(async () => {
    child?.kill('SIGKILL')
    await proxy.close()
    await rm(folder, { recursive: true, force: true })
  })
  const recorder = {
    folder,
    fileOf: (name: string) => path.join(folder, 'files', name),
    egress: () => new EgressClient(url, stage.apiKey, stage.apiSecret),
    /** Breaks the signalling and refuses it for so long. */
    outage: (durationMs: number) => proxy.outage(durationMs),
    async start() {
      const running = spawn(process.execPath, [PROGRAM, '--port', '0', '--egress-dir', folder], {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          LIVEKIT_URL: proxy.url,
          LIVEKIT_API_KEY: stage.apiKey,
          LIVEKIT_API_SECRET: stage.apiSecret,
          EGRESS_MAX: '1',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = running
      createInterface({ input: running.stderr }).on('line', (line) => log.push(line))
      const [line] = (await once(createInterface({ input: running.stdout }), 'line')) as [string]
      url = line.replace('listening on ', '')
    },
    /** Waits until its log has so many lines with this text. */
    logged: (text: string, count: number) =>
      until({
        fact: `${text}, ${count} times`,
        read: () => log.filter((line) => line.includes(text)).length,
        holds: (found) => found >= count,
      }),
    async kill() {
      const exited = once(child as ChildProcess, 'exit')
      child?.kill('SIGKILL')
      await exited
    },
    async health(): Promise<unknown> {
      return (await fetch(`${url}/health`)).json()
    },
  }
  await recorder.start()
  return recorder
})
