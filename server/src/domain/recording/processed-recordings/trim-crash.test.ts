import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type FolderSetting, startFolder } from '../../../platform/storage/testing/settings.ts'
import { TEST_ENVIRONMENT } from '../../../testing/deps.ts'
import { webhooksOf } from '../../../testing/recordings.ts'
import { IS_FULL_RUN } from '../../../testing/scope.ts'
import { type TrimOrder, useTrims } from '../../../testing/trims.ts'
import { waitFor } from '../../../testing/wait-for.ts'

let setting: FolderSetting
const trims = useTrims(async () => {
  setting = await startFolder()
  return setting
})
const { plane } = trims

let worker: ChildProcess | undefined
afterEach(() => worker?.kill('SIGKILL'))

/** Starts the service itself, as `npm run serve` does in the worker role. */
function startWorker(): ChildProcess {
  worker = spawn(process.execPath, [path.resolve(import.meta.dirname, '../../../main.ts')], {
    stdio: 'ignore',
    env: {
      ...TEST_ENVIRONMENT,
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ROLE: 'worker',
      DATABASE_URL: plane.database.url,
      STORAGE_DIR: setting.folder,
      WORK_DIR: trims.workDir(),
    },
  })
  return worker
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  // The same as after half a minute. Two deaths in a row would isolate the job.
  await plane.database.db`
    update jobs set lease_until = clock_timestamp(), deaths = 0 where lease_until is not null
  `
}

/** Enough for a worker to start and encode a video on a busy machine. */
const PATIENCE_MS = 90_000

const statusOf = async ({ address }: TrimOrder) => (await trims.read(address)).status as string

const list = (folder: string) => readdir(folder, { recursive: true }).catch(() => [])

/** The moments at which a worker is killed. Each is a fact that others can see. */
const ALL_MOMENTS: readonly (readonly [name: string, isThere: (order: TrimOrder) => unknown])[] = [
  ['has begun', async (order) => (await statusOf(order)) === 'processing'],
  ['has a folder', async () => (await list(trims.workDir())).length > 0],
  ['encodes', async () => (await list(trims.workDir())).some((name) => name.endsWith('.mp4'))],
  ['is about to store', async ({ id }) => hasOrder(id)],
  ['stores', async ({ id }) => (await list(setting.folder)).some((name) => name.includes(id))],
]
/** The everyday run kills in the middle of the work and at its end. */
const EVERYDAY = ['encodes', 'stores']
const MOMENTS = ALL_MOMENTS.filter(([name]) => IS_FULL_RUN || EVERYDAY.includes(name))

async function hasOrder(id: string): Promise<boolean> {
  const orders = await plane.database.db`
    select 1 from jobs where kind = 'delete-objects' and payload ->> 'keys' like ${`%${id}%`}
  `
  return orders.length > 0
}

async function programsInWorkDir(): Promise<number> {
  const locations = (await readdir('/proc')).map((pid) =>
    readlink(`/proc/${pid}/cwd`).catch(() => undefined),
  )
  return (await Promise.all(locations)).filter((cwd) => cwd?.startsWith(trims.workDir())).length
}

describe('the death of a worker', () => {
  // contract: States of a ProcessedRecording › processing, when the worker dies at any moment: the
  //   next one makes it
  test('at any moment of a trim leaves it to the next worker, and leaves no file, program or object behind', async () => {
    // The worker process uses the real clock.
    plane.now = new Date()
    const orders: TrimOrder[] = []
    for (const [, isThere] of MOMENTS) {
      const order = await trims.order({ start: 0, end: 40 })
      orders.push(order)
      const child = startWorker()
      await waitFor(async () => Boolean(await isThere(order)) || (await isOver(order)), PATIENCE_MS)
      await kill(child)
    }
    startWorker()
    for (const order of orders) await waitFor(() => isOver(order), PATIENCE_MS)

    for (const order of orders) {
      expect(await statusOf(order)).toBe('available')
      expect(await webhooksOf(plane, `processed:${order.id}`)).toHaveLength(1)
    }
    const rows = await plane.database.db<{ key: string }[]>`
      select storage_key as key from processed_recordings
    `
    const named = rows.map(({ key }) => key).toSorted()
    await waitFor(async () => (await trims.processedKeys()).length === named.length)
    expect((await trims.processedKeys()).toSorted()).toEqual(named)
    expect(await list(path.join(setting.folder, 'incoming'))).toEqual([])
    expect(await trims.leftInWorkDir()).toEqual([])
    expect(await programsInWorkDir()).toBe(0)
  }, 600_000)
})

async function isOver(order: TrimOrder): Promise<boolean> {
  return ['available', 'failed'].includes(await statusOf(order))
}
