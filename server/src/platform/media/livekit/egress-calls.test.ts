import { describe, expect, test } from 'vitest'
import type { EgressSpec } from '../../ports/egress.ts'
import { type Media, MediaError } from '../../ports/media.ts'
import { clockOffsetMs } from './egress-calls.ts'
import { createLivekitMedia } from './livekit-media.ts'
import { answerJson, useProviderStub } from './testing/provider-stub.ts'

const provider = useProviderStub()
const SPEC: Omit<EgressSpec, 'recorder'> = {
  mediaRoom: 'room',
  identity: undefined,
  width: 1280,
  height: 720,
  frameRate: 15,
  videoKbps: 2500,
  output: { kind: 'file', path: '/srv/objects/part.mp4' },
}
const S3 = {
  kind: 's3',
  bucket: 'recordings',
  key: 'tenant/recording-parts/part.mp4',
  region: 'eu-west-1',
  endpoint: 'https://objects.example.com',
  forcePathStyle: true,
  accessKeyId: 'AKIA',
  secretAccessKey: 'never-shown',
  sessionToken: undefined,
} as const
const STARTED = { egress_id: 'EG_1', room_name: 'room', status: 'EGRESS_STARTING' }

/** Orders from the only recorder there is. */
async function startEgress(media: Media, spec: Partial<EgressSpec> = {}) {
  const [recorder = ''] = await media.recordersInTurn('room')
  return media.startEgress({ ...SPEC, recorder, ...spec })
}

describe('an egress', () => {
  test('of everybody is a room composite in a grid, of the requested size', async () => {
    provider.answer = answerJson(200, STARTED)
    expect(await startEgress(provider.media)).toMatchObject({
      egressId: 'EG_1',
      mediaRoom: 'room',
      status: 'starting',
      file: null,
    })
    const [call] = provider.calls
    expect(call).toMatchObject({
      method: 'StartRoomCompositeEgress',
      grants: { roomRecord: true },
      body: {
        roomName: 'room',
        layout: 'grid',
        advanced: { width: 1280, height: 720, framerate: 15, videoBitrate: 2500 },
        fileOutputs: [
          { fileType: 'MP4', filepath: '/srv/objects/part.mp4', disableManifest: true },
        ],
      },
    })
  })

  test('is ordered from the configured recorder, which may be separate from the provider', async () => {
    provider.answer = answerJson(200, STARTED)
    const nobodyThere = 'http://127.0.0.1:9'
    const beside = createLivekitMedia({ ...provider.config, apiUrl: nobodyThere })
    expect(await startEgress(beside)).toMatchObject({ egressId: 'EG_1' })
    const elsewhere = createLivekitMedia({ ...provider.config, egressUrls: [nobodyThere] })
    await expect(startEgress(elsewhere)).rejects.toThrow(MediaError)
    await expect(beside.check()).rejects.toThrow(MediaError)
  })

  test('of one person follows the person', async () => {
    provider.answer = answerJson(200, STARTED)
    await startEgress(provider.media, { identity: 'p1' })
    expect(provider.calls[0]).toMatchObject({
      method: 'StartParticipantEgress',
      body: {
        roomName: 'room',
        identity: 'p1',
        fileOutputs: [{ filepath: '/srv/objects/part.mp4' }],
      },
    })
  })

  test('writes to the bucket under the key', async () => {
    provider.answer = answerJson(200, STARTED)
    await startEgress(provider.media, { output: S3 })
    expect(provider.calls[0]?.body).toMatchObject({
      fileOutputs: [
        {
          filepath: S3.key,
          s3: {
            accessKey: S3.accessKeyId,
            secret: S3.secretAccessKey,
            bucket: S3.bucket,
            endpoint: S3.endpoint,
            region: S3.region,
            forcePathStyle: true,
          },
        },
      ],
    })
  })

  test('that cannot begin is a failure that names no secret', async () => {
    provider.answer = answerJson(503, {
      code: 'unavailable',
      msg: `no worker ${S3.secretAccessKey}`,
    })
    const error = await startEgress(provider.media, { output: S3 }).catch(
      (failure: unknown) => failure,
    )
    expect(error).toBeInstanceOf(MediaError)
    expect(String(error)).not.toContain(S3.secretAccessKey)
  })

  test.each([
    [404, 'not_found'],
    [412, 'failed_precondition'],
  ])('that is gone or has ended is stopped: %i %s', async (status, code) => {
    provider.answer = answerJson(status, { code, msg: 'egress with status COMPLETE' })
    await provider.media.stopEgress({ egressId: 'EG_1', recorder: null })
    expect(provider.calls[0]).toMatchObject({ method: 'StopEgress', body: { egressId: 'EG_1' } })
  })

  test('that cannot be stopped otherwise is a failure', async () => {
    provider.answer = answerJson(408, { code: 'deadline_exceeded', msg: 'no response' })
    await expect(provider.media.stopEgress({ egressId: 'EG_1', recorder: null })).rejects.toThrow(
      MediaError,
    )
  })

  test('is listed with its written file, times in milliseconds', async () => {
    const file = { size: '4096', duration: '42500000000', filename: 'part.mp4' }
    provider.answer = answerJson(200, {
      items: [
        {
          ...STARTED,
          status: 'EGRESS_COMPLETE',
          started_at: '1780000000123456789',
          ended_at: '1780000042623456789',
          updated_at: '1780000043623456789',
          file_results: [file],
          room_composite: { room_name: 'room', file_outputs: [{ filepath: '/srv/part.mp4' }] },
        },
        { ...STARTED, egress_id: 'EG_2', status: 'EGRESS_FAILED', error: 'S3 upload failed: no' },
      ],
    })
    const [recorder] = provider.config.egressUrls
    const { egresses } = await provider.media.listEgress('room', [null])
    expect(egresses).toEqual([
      {
        egressId: 'EG_1',
        recorder,
        mediaRoom: 'room',
        status: 'complete',
        outputPath: '/srv/part.mp4',
        startedAt: new Date(1_780_000_000_123),
        endedAt: new Date(1_780_000_042_623),
        updatedAt: new Date(1_780_000_043_623),
        file: { sizeBytes: 4096, durationSec: 42.5 },
        writtenBytes: null,
        lacks: [],
        hasUploadFailed: false,
        hasRecorderFailed: false,
      },
      {
        egressId: 'EG_2',
        recorder,
        mediaRoom: 'room',
        status: 'failed',
        outputPath: null,
        startedAt: null,
        endedAt: null,
        updatedAt: null,
        file: null,
        writtenBytes: null,
        lacks: [],
        hasUploadFailed: true,
        hasRecorderFailed: false,
      },
    ])
  })

  test('that is active has the number of written bytes, if its provider reports that', async () => {
    const active = { ...STARTED, status: 'EGRESS_ACTIVE' }
    const items = [
      { ...active, file_results: [{ size: '4096' }] },
      { ...active, egress_id: 'EG_2' },
    ]
    provider.answer = answerJson(200, { items })
    const listed = await provider.media.listEgress('room', [null])
    expect(listed.egresses.map(({ writtenBytes }) => writtenBytes)).toEqual([4096, null])
  })
})

const at = (sec: number) => new Date(Date.UTC(2026, 5, 1) + sec * 1000)

describe("the provider's clock", () => {
  test.each([
    ['that agrees', 10.2, 0],
    ['with a negligible offset', 10.515, 0],
    ['that is ahead', 13.5, 3000],
    ['that is behind', 8, -2000],
  ])('%s', (_name, reportedSec, offsetMs) => {
    const between = { askedAt: at(10), answeredAt: at(10.5) }
    expect(clockOffsetMs(at(reportedSec), between)).toBe(offsetMs)
  })
})
