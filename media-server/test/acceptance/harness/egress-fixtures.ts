import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  EgressClient,
  type EgressInfo,
  EgressStatus,
  EncodedFileOutput,
  S3Upload,
} from 'livekit-server-sdk'
import { startS3Inbox } from './s3-inbox.ts'
import { until } from './until.ts'
import { test as base } from './webhook-fixtures.ts'

// Composing shares the machine with whatever else is tested on it.
const COMPOSE_TIMEOUT_MS = 300_000
const BUCKET = 'bucket'

export const test = base
  .extend('egress', { scope: 'file' }, ({ stage }) => {
    return new EgressClient(stage.egressUrl, stage.apiKey, stage.apiSecret)
  })
  .extend('files', async ({ stage }, { onCleanup }) => {
    const { recordingsFolder } = stage
    if (recordingsFolder !== null) {
      return {
        output: (filepath: string) => new EncodedFileOutput({ filepath }),
        read: async (filepath: string) => path.join(recordingsFolder, filepath),
      }
    }
    const s3 = await startS3Inbox()
    const folder = await mkdtemp(path.join(tmpdir(), 'recorded-'))
    onCleanup(async () => {
      await s3.close()
      await rm(folder, { recursive: true, force: true })
    })
    const place = { endpoint: s3.url, bucket: BUCKET, forcePathStyle: true, region: 'us-east-1' }
    const value = new S3Upload({ ...place, accessKey: 'key', secret: 'secret' })
    return {
      /** Output to which the server under test is to write a recording. */
      output: (filepath: string) =>
        new EncodedFileOutput({ filepath, disableManifest: true, output: { case: 's3', value } }),
      /** The written recording, as a file. */
      async read(filepath: string): Promise<string> {
        const file = path.join(folder, filepath)
        await writeFile(file, s3.objects.get(`/${BUCKET}/${filepath}`) ?? '')
        return file
      },
    }
  })
  .extend('recorded', ({ egress }) => {
    const find = async (egressId: string): Promise<EgressInfo> => {
      const [info] = await egress.listEgress({ egressId })
      if (info === undefined) throw new Error(`no egress ${egressId}`)
      return info
    }
    return {
      /** Waits until the recording is running; answers the time of its beginning. */
      async begun(egressId: string): Promise<number> {
        const info = await until({
          fact: 'the egress is active',
          read: () => find(egressId),
          holds: ({ status }) => status === EgressStatus.EGRESS_ACTIVE,
        })
        return Number((info.fileResults[0]?.startedAt ?? 0n) / 1_000_000n)
      },
      ended: (egressId: string): Promise<EgressInfo> =>
        until({
          fact: 'the egress has ended',
          read: () => find(egressId),
          holds: ({ status }) => status >= EgressStatus.EGRESS_COMPLETE,
          timeoutMs: COMPOSE_TIMEOUT_MS,
        }),
    }
  })

test.beforeEach(({ stage, skip }) => {
  const isRecording = stage.recordingsFolder !== null || stage.hasLiveKitEgress
  skip(!isRecording, 'the server under test does not write recordings to here')
})
