import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { makeClipRequest } from '../domain/recording/clips/clip-request.ts'
import { makeClipJob, makeReelJob } from '../domain/recording/clips/make-clip.job.ts'
import { trimProcessedJob } from '../domain/recording/processed-recordings/trim-processed.job.ts'
import { trimProcessedRequest } from '../domain/recording/processed-recordings/trim-request.ts'
import { systemClock } from '../platform/lib/clock.ts'
import type { Deps } from '../platform/ports/deps.ts'
import type { Storage } from '../platform/ports/storage.ts'
import { newVideoKey } from '../platform/storage/object-key.ts'
import type { Setting } from '../platform/storage/testing/settings.ts'
import { type ControlPlane, useControlPlane } from './control-plane.ts'
import { addRecordedRoom, jobRun } from './recordings.ts'
import { makeVideo } from './videos.ts'

const SOURCE_SEC = 40

/** The setup for trims; filled before the first test of the file. */
interface Workshop {
  setting: Setting
  storage: Storage
  /** The folder of the test videos. */
  files: string
}

/** The resource that a trim's file is for. */
type TrimUse = 'processed-recording' | 'clip' | 'reel'

export interface TrimOrder {
  id: string
  use: TrimUse
  recordingId: string
  /** Path of the processed recording or the clip, below the API. */
  address: string
  sourceKey: string
}

/** A control plane on a real storage, with recordings that are real videos, and a worker's jobs. */
export function useTrims(start: () => Promise<Setting>) {
  const workshop = {} as Workshop
  beforeAll(async () => {
    workshop.files = await mkdtemp(path.join(tmpdir(), 'interview-room-trim-'))
    await makeVideo(path.join(workshop.files, 'source.mp4'), { durationSec: SOURCE_SEC })
    workshop.setting = await start()
    workshop.storage = workshop.setting.open(systemClock)
  })
  afterAll(async () => {
    await workshop.setting?.close()
    await rm(workshop.files, { recursive: true, force: true })
  })
  const plane = useControlPlane({
    get storage() {
      return workshop.storage
    },
  })
  const workDir = () => path.join(workshop.files, 'work')
  return {
    plane,
    workDir,
    leftInWorkDir: () => readdir(workDir()).catch(() => []),
    storage: () => workshop.storage,
    filePath: (name: string) => path.join(workshop.files, name),
    read: async (address: string) => (await plane.tenant.get(address)).data,
    order: (wanted: WantedTrim = {}) => orderTrim(plane, workshop, wanted),
    run: (order: TrimOrder, options: Omit<TrimRun, 'workDir'> = {}) =>
      runTrim(plane, order, { workDir: workDir(), ...options }),
    processedKeys: () => listKeys(workshop.storage, '/processed-recordings/'),
    clipKeys: () => listKeys(workshop.storage, '/clips/'),
    download: (address: string) => download(plane, workshop, address),
  }
}

interface WantedTrim {
  start?: number
  end?: number
  file?: string
  use?: TrimUse
}

/** Orders a trim of a new recording with this video. */
async function orderTrim(
  plane: ControlPlane,
  { storage, files }: Workshop,
  { start = 10, end = 25, file = 'source.mp4', use = 'processed-recording' }: WantedTrim,
): Promise<TrimOrder> {
  const { recordingId } = await addRecordedRoom(plane, { durationSec: SOURCE_SEC })
  const sourceKey = newVideoKey(plane.tenant.tenantId, 'recordings')
  await storage.put(sourceKey, createReadStream(path.join(files, file)), { mime: 'video/mp4' })
  await plane.database.db`
    update recordings set storage_key = ${sourceKey} where id = ${recordingId}
  `
  const made = { use, recordingId, sourceKey }
  if (use === 'clip') {
    const range = { start_sec: start, end_sec: end }
    const { data } = await plane.tenant.post(`/recordings/${recordingId}/clips`, range)
    return { ...made, id: data.id, address: `/clips/${data.id}` }
  }
  const address = `/recordings/${recordingId}/processed-recording`
  const range = { trim_start_sec: start, trim_end_sec: end }
  const { data } = await plane.tenant.post(address, { source: 'trim', ...range })
  return { ...made, id: data.id, address }
}

interface TrimRun {
  workDir: string
  changes?: Partial<Deps>
  /** Pause between two checks that it is still wanted. */
  lookMs?: number
  signal?: AbortSignal
  log?: Logger
}

const WORK = {
  'processed-recording': { request: trimProcessedRequest, job: trimProcessedJob },
  clip: { request: makeClipRequest, job: makeClipJob },
  // The reel is read by the job.
  reel: { request: makeClipRequest, job: makeReelJob },
}

function runTrim(
  plane: ControlPlane,
  { id, use, recordingId }: TrimOrder,
  { workDir, changes, lookMs, ...run }: TrimRun,
) {
  const { tenantId } = plane.tenant
  const { request, job } = WORK[use]
  const { key, payload = {} } = request({ id, tenantId, recordingId })
  const { config } = plane.deps
  const waits = { ...config.waits, ...(lookMs !== undefined && { wantedLookMs: lookMs }) }
  const deps = { ...plane.deps, config: { ...config, workDir, waits }, ...changes }
  return job(deps).run({ ...jobRun(plane), key, payload, ...run })
}

/** Takes the job as a worker that reports that it lives. */
export async function takeTrim({ database }: ControlPlane, id: string): Promise<void> {
  await database.db`
    update jobs set lease_until = clock_timestamp() + interval '1 minute' where key = ${id}
  `
}

async function listKeys(storage: Storage, folder: string): Promise<string[]> {
  const keys: string[] = []
  let after: string | undefined
  do {
    const page = await storage.list(after)
    keys.push(...page.objects.map(({ key }) => key))
    after = page.next
  } while (after !== undefined)
  return keys.filter((key) => key.includes(folder))
}

/** Fetches the file from its address; returns its path. */
async function download(
  plane: ControlPlane,
  { setting, files }: Workshop,
  address: string,
): Promise<string> {
  const { data } = await plane.tenant.get(`${address}/download-url`)
  const answer = await fetch(setting.reach(data.url))
  const target = path.join(files, 'downloaded.mp4')
  await writeFile(target, Buffer.from(await answer.arrayBuffer()))
  return target
}
