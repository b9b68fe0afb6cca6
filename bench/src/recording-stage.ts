import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { openDb } from '@interview-room/server/src/platform/db/db.ts'
import { findFfmpeg } from '@interview-room/server/src/platform/media-files/find-ffmpeg.ts'
import { createFileAddresses } from '@interview-room/server/src/platform/storage/file-addresses.ts'
import { createFolderStorage } from '@interview-room/server/src/platform/storage/folder/folder-storage.ts'
import { newVideoKey } from '@interview-room/server/src/platform/storage/object-key.ts'
import { createTenant } from '@interview-room/server/src/platform/tenants/create-tenant.ts'
import { issueApiKey } from '@interview-room/server/src/platform/tenants/issue-api-key.ts'
import { booking } from '@interview-room/server/src/testing/tenant-client.ts'
import { type Database, startDatabase } from './database.ts'
import { startProviderStub } from './provider-stub.ts'
import { startServiceProcess } from './service-process.ts'

export interface Stage {
  /** The ffmpeg that the service uses, too. */
  ffmpeg: string
  /** The recording's file. */
  source: string
  /** A temporary folder that is deleted with the stage. */
  folder: string
  /** The address of the service. The URLs that it signs have another host. */
  origin: string
  call: (method: string, path: string, body?: object) => Promise<Answer>
  recordingId: string
  /** The process id of the service. ffmpeg runs as its child. */
  pid: number
  close: () => Promise<void>
}

interface Answer {
  status: number
  data: Record<string, unknown>
}

export interface RecordingPlan {
  /** The length of the recording. */
  seconds: number
  video: (ffmpeg: string, file: string) => Promise<void>
  /** Settings of the service, in addition to those that every stage has. */
  settings?: Record<string, string>
}

/** Starts the whole service with one recording, on a storage folder. */
export async function setStage({ seconds, video, settings }: RecordingPlan): Promise<Stage> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const stop of closers.toReversed()) await stop()
  }
  try {
    const database = await startDatabase({ isDurable: true })
    closers.push(database.stop)
    const provider = await startProviderStub()
    closers.push(provider.stop)
    const { folder } = database
    const service = await startServiceProcess(database, provider, {
      ROLE: 'all',
      WORK_DIR: path.join(folder, 'work'),
      ...settings,
    })
    closers.push(service.stop)
    const ffmpeg = await findFfmpeg(undefined)
    const source = path.join(folder, 'interview.mp4')
    await video(ffmpeg, source)
    const { apiKey, tenantId } = await addTenant(database)
    const origin = `http://127.0.0.1:${service.port}`
    const call = caller(`${origin}/api/v1`, apiKey)
    const { data: room } = await call('POST', '/rooms', booking())
    const recorded = { tenantId, roomId: String(room['id']), source, seconds }
    const recordingId = await addRecording(database, recorded)
    return { ffmpeg, source, folder, recordingId, pid: service.pid, close, origin, call }
  } catch (error) {
    await close()
    throw error
  }
}

function caller(baseUrl: string, apiKey: string): Stage['call'] {
  return async (method, address, body) => {
    const answer = await fetch(baseUrl + address, {
      method,
      headers: {
        authorization: `ApiKey ${apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    const text = await answer.text()
    return { status: answer.status, data: text === '' ? {} : JSON.parse(text).data }
  }
}

async function addTenant({ url }: Database): Promise<{ apiKey: string; tenantId: string }> {
  const db = openDb({ url, poolSize: 1, applicationName: 'bench-tenant' })
  try {
    const { id: tenantId } = await createTenant(db, { name: 'Bench' })
    const { apiKey } = await issueApiKey(db, { tenantId, note: null })
    return { apiKey, tenantId }
  } finally {
    await db.end()
  }
}

interface StoredRecording {
  tenantId: string
  roomId: string
  source: string
  seconds: number
}

/** Adds a row and an object, as a finished recording has them. */
async function addRecording({ url, folder }: Database, recorded: StoredRecording): Promise<string> {
  const { tenantId, roomId, source, seconds } = recorded
  const id = randomUUID()
  const key = newVideoKey(tenantId, 'recordings')
  const body = createReadStream(source)
  const { sizeBytes } = await openFolder(folder).put(key, body, { mime: 'video/mp4' })
  const db = openDb({ url, poolSize: 1, applicationName: 'bench-recording' })
  try {
    await db`
      insert into recordings (id, tenant_id, room_id, seq, provider_archive_id, status, output_mode,
                              storage_key, size_bytes, duration_sec, created_at, updated_at)
      values (${id}, ${tenantId}, ${roomId}, 1, 'EG_bench', 'available', 'composed', ${key},
              ${sizeBytes}, ${seconds}, now(), now())
    `
    return id
  } finally {
    await db.end()
  }
}

/** The storage folder of the service. Nothing is signed here. */
function openFolder(folder: string) {
  const secretsKey = Buffer.alloc(32)
  const addresses = createFileAddresses({ publicUrl: '', secretsKey, clock: () => new Date() })
  return createFolderStorage(path.join(folder, 'storage'), addresses)
}
