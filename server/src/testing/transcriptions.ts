import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Engines } from '../domain/recording/transcriptions/engines/bind-engines.ts'
import { transcribeJob } from '../domain/recording/transcriptions/transcribe.job.ts'
import type { Config } from '../platform/config/config.ts'
import { type ControlPlane, useControlPlane } from './control-plane.ts'
import { addRecordedRoom, jobRun, webhooksOf } from './recordings.ts'
import { makeVideo } from './videos.ts'

export interface StartedTranscription {
  id: string
  recordingId: string
}

/** A control plane with recordings that are real videos, and a worker that tests run. */
export function useTranscriptions() {
  const plane = useControlPlane()
  const place = { folder: '' }
  beforeAll(async () => {
    place.folder = await mkdtemp(path.join(tmpdir(), 'interview-room-transcription-'))
    await makeVideo(path.join(place.folder, 'source.mp4'), { durationSec: 2 })
  })
  afterAll(() => rm(place.folder, { recursive: true, force: true }))
  return {
    plane,
    start: (body: object = {}, file = path.join(place.folder, 'source.mp4')) =>
      start(plane, file, body),
    /** The file of a recording, unless another is given. */
    source: () => path.join(place.folder, 'source.mp4'),
    run: (started: StartedTranscription, engines: Engines, config: Partial<Config> = {}) =>
      run(plane, started, {
        engines,
        config: { workDir: path.join(place.folder, 'work'), ...config },
      }),
    read: async ({ id }: StartedTranscription) =>
      (await plane.tenant.get(`/transcriptions/${id}`)).data,
    webhooks: async ({ id }: StartedTranscription) =>
      (await webhooksOf(plane, `transcription:${id}`)).map(({ data }) => [
        data['status'],
        data['failure_reason'],
      ]),
    result: ({ id }: StartedTranscription) => readResult(plane, id),
  }
}

async function start(
  plane: ControlPlane,
  file: string,
  body: object,
): Promise<StartedTranscription> {
  const { recordingId } = await addRecordedRoom(plane, { durationSec: 2 })
  const key = `${plane.tenant.tenantId}/recordings/${recordingId}`
  await plane.storage.put(key, createReadStream(file), { mime: 'video/mp4' })
  const { data } = await plane.tenant.post(`/recordings/${recordingId}/transcriptions`, {
    language: 'en-US',
    ...body,
  })
  return { id: data.id, recordingId }
}

function run(
  plane: ControlPlane,
  { id, recordingId }: StartedTranscription,
  { engines, config }: { engines: Engines; config: Partial<Config> },
) {
  const deps = { ...plane.deps, config: { ...plane.deps.config, ...config } }
  const payload = { tenantId: plane.tenant.tenantId, recordingId }
  return transcribeJob(deps, engines).run({ ...jobRun(plane), key: id, payload })
}

async function readResult(plane: ControlPlane, id: string): Promise<string | undefined> {
  const [row] = await plane.database.db<{ key: string | null }[]>`
    select result_key as key from transcriptions where id = ${id}
  `
  return plane.storage.objects.get(row?.key ?? '')?.body.toString()
}
