import { setTimeout as delay } from 'node:timers/promises'
import type { ArchiveResolution } from '@interview-room/contract/vocabulary.ts'
import { type MediaServer, signMediaToken } from '@interview-room/e2e/src/harness/provider.ts'
import { waitFor } from '@interview-room/e2e/src/harness/wait.ts'
import { startTestS3 } from '@interview-room/server/src/platform/storage/testing/s3-server.ts'
import { cpuSecOfTree } from './process-usage.ts'

interface EgressStatus {
  egress_id: string
  status: string
}

interface CompositePlan {
  server: MediaServer
  /** The process that started all processes of LiveKit Egress. */
  workerPid: number
  roomId: string
  resolution: ArchiveResolution
  videoKbps: number
  seconds: number
}

const CALL_TIMEOUT_MS = 20_000
const STATE_TIMEOUT_MS = 60_000

/**
 * The CPU seconds that LiveKit Egress takes for a room composite of this length, ordered as the service would. It
 * counts from the first written byte, because the start is a browser's start.
 */
export async function cpuOfComposite(plan: CompositePlan): Promise<number> {
  const { server, workerPid, roomId, resolution, videoKbps, seconds } = plan
  const call = callerOf(server)
  const s3 = await startTestS3()
  try {
    const { bucket, endpoint, region, accessKeyId, secretAccessKey } = s3.config
    const [width, height] = resolution.split('x').map(Number)
    const { egress_id: egressId } = await call<EgressStatus>('StartRoomCompositeEgress', {
      room_name: roomId,
      layout: 'grid',
      advanced: {
        width,
        height,
        framerate: 15,
        video_codec: 'H264_MAIN',
        video_bitrate: videoKbps,
        audio_bitrate: 128,
        audio_frequency: 48_000,
      },
      file_outputs: [
        {
          file_type: 'MP4',
          filepath: 'composite.mp4',
          disable_manifest: true,
          s3: {
            bucket,
            endpoint,
            region,
            access_key: accessKeyId,
            secret: secretAccessKey,
            force_path_style: true,
          },
        },
      ],
    })
    await untilState(call, egressId, 'EGRESS_ACTIVE')
    const before = cpuSecOfTree(workerPid)
    await delay(seconds * 1000)
    const used = cpuSecOfTree(workerPid) - before
    await call('StopEgress', { egress_id: egressId })
    await untilState(call, egressId, 'EGRESS_COMPLETE')
    return used
  } finally {
    await s3.close()
  }
}

type Call = <T>(method: string, body: object) => Promise<T>

function callerOf(server: MediaServer): Call {
  return async <T>(method: string, body: object) => {
    const token = await signMediaToken(server, { roomRecord: true })
    const answer = await fetch(`${server.url}/twirp/livekit.Egress/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    })
    if (!answer.ok) throw new Error(`${method} is answered ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
}

async function untilState(call: Call, egressId: string, state: string): Promise<void> {
  const reached = await waitFor(
    async () => {
      const { items } = await call<{ items: EgressStatus[] }>('ListEgress', { egress_id: egressId })
      const status = items[0]?.status ?? ''
      return status === state || /FAILED|ABORTED/.test(status) ? status : undefined
    },
    { what: `the composite is ${state}`, timeoutMs: STATE_TIMEOUT_MS },
  )
  if (reached !== state) throw new Error(`the composite is ${reached}`)
}
