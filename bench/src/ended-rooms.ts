import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import { connectAgreed, enterByHand } from '@interview-room/e2e/src/harness/api-participant.ts'
import { recordingsOf, untilRecorded } from '@interview-room/e2e/src/harness/recorded.ts'
import {
  freePort,
  removeDataDir,
  type Service,
  startService,
} from '@interview-room/e2e/src/harness/service.ts'
import { actAsTenant, type Tenant } from '@interview-room/e2e/src/harness/tenant.ts'
import {
  connectRtcClient,
  type RtcClient,
} from '@interview-room/media-server/test/support/rtc-client.ts'
import { dispose } from '@livekit/rtc-node'
import { machine } from './machine.ts'
import { quantile, roundedRow } from './statistics.ts'

const LOOK_EVERY_MS = 500
const LIVE_EVERY_MS = 200
const AVAILABLE_MAX_MS = 30 * 60_000

interface Stage {
  service: Service
  tenant: Tenant
  seconds: number
}

interface EndedRoom {
  roomId: string
  client: RtcClient
}

/** The times of one recording, in seconds since the rooms were closed. */
interface Made {
  /** Its position in the order in which the rooms were closed. */
  closed: number
  available: number
  /** The first estimate of the API. Undefined if the recording was available before any estimate. */
  estimated: number | undefined
  /** Seconds of the recording in which somebody is missing. */
  missingSec: number
}

/** The effect on a live room meanwhile. */
interface Live {
  answerMs: number[]
  /** Video frames that are sent per second. */
  framesPerSec: number
  /** Video frames that were sent and did not arrive. */
  lostFrames: number
}

/**
 * Ends several rooms at once beside a live room, and measures when and in which order their recordings become
 * available.
 */
export async function measureEndedRooms(args: string[]): Promise<void> {
  const options = {
    rooms: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '30' },
    compositions: { type: 'string', default: '1' },
  } as const
  const { values } = parseArgs({ args, options })
  const count = Number(values.rooms)
  const { compositions } = values
  const env = { COMPOSITIONS_MAX: compositions }
  const service = await startService({ port: await freePort(), env })
  const tenant = actAsTenant(service.local)
  const stage = { service, tenant, seconds: Number(values.seconds) }
  try {
    const alone = await makeRecordings(stage, 1)
    const live = await openLiveRoom(stage)
    const before = await live.during(delay(stage.seconds * 1000))
    const { made, live: meanwhile } = await makeRecordings(stage, count, (work) =>
      live.during(work),
    )
    await live.close()
    console.table(made.map((each) => roundedRow(each)))
    const lastSec = Math.max(...made.map(({ available }) => available))
    const aloneSec = alone.made[0]?.available ?? 0
    const rows = {
      aloneSec,
      lastSec,
      /** 1 means as slow as composing one after the other. */
      lastToAlone: lastSec / (aloneSec * count),
      answerP99Ms: quantile(before.answerMs, 0.99),
      answerP99MsMeanwhile: quantile(meanwhile?.answerMs ?? [], 0.99),
      framesPerSec: before.framesPerSec,
      framesPerSecMeanwhile: meanwhile?.framesPerSec ?? 0,
      lostFrames: before.lostFrames,
      lostFramesMeanwhile: meanwhile?.lostFrames ?? 0,
    }
    console.table(roundedRow(rows))
    const conditions = { rooms: count, seconds: stage.seconds, compositions: Number(compositions) }
    console.log(
      JSON.stringify({ bench: 'ended-rooms', machine: machine(), conditions, rows, made }),
    )
  } finally {
    // The native client would keep the process running.
    await dispose()
    await service.stop()
    removeDataDir(service.dataDir)
  }
}

type LiveMeasurement = (work: Promise<unknown>) => Promise<Live>

async function makeRecordings(
  stage: Stage,
  count: number,
  during?: LiveMeasurement,
): Promise<{ made: Made[]; live: Live | undefined }> {
  const rooms: EndedRoom[] = []
  for (let i = 0; i < count; i += 1) rooms.push(await openRecordedRoom(stage))
  await delay(stage.seconds * 1000)
  const closedAt = performance.now()
  for (const { roomId } of rooms) await stage.tenant.close(roomId)
  const finished = Promise.all(
    rooms.map(({ roomId }, closed) => untilAvailable(stage, roomId, { closed, closedAt })),
  )
  const live = await during?.(finished)
  const made = await finished
  for (const { client } of rooms) await client.leave()
  return { made: made.toSorted((a, b) => a.available - b.available), live }
}

/** One recorded person, without a page. */
async function openRecordedRoom({ service, tenant }: Stage): Promise<EndedRoom> {
  const { id: roomId } = await tenant.book({ room: { archive_mode: 'manual' } })
  const baseUrl = service.local.base_url
  const panelist = await enterByHand(tenant, { baseUrl, roomId, role: 'panelist', name: 'Pana' })
  const client = await connectAgreed(panelist)
  await client.publish()
  const moderator = await enterByHand(tenant, { baseUrl, roomId, role: 'moderator', name: 'Mori' })
  await moderator.post('/recording/start')
  await untilRecorded(moderator, 0)
  return { roomId, client }
}

async function untilAvailable(
  { tenant }: Stage,
  roomId: string,
  { closed, closedAt }: { closed: number; closedAt: number },
): Promise<Made> {
  const sinceClose = () => (performance.now() - closedAt) / 1000
  let estimated: number | undefined
  while (sinceClose() * 1000 < AVAILABLE_MAX_MS) {
    const [recording] = await recordingsOf(tenant, roomId)
    if (recording?.status === 'available') {
      return {
        closed,
        available: sinceClose(),
        estimated,
        missingSec: await missingSecOf(tenant, recording),
      }
    }
    if (recording?.status === 'failed') throw new Error('a recording failed')
    const at = recording?.estimated_available_at
    if (at !== undefined && at !== null) {
      estimated ??= sinceClose() + (Date.parse(at) - Date.now()) / 1000
    }
    await delay(LOOK_EVERY_MS)
  }
  throw new Error('a recording did not become available')
}

async function missingSecOf({ api }: Tenant, { id }: RecordingBody): Promise<number> {
  const completeness = await api.getRecordingCompleteness({ params: { recording_id: id } })
  return completeness.missing_sec
}

const sumOf = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** Two people: one publishes; the other receives and writes chat messages. */
async function openLiveRoom({ service, tenant }: Stage) {
  const { id: roomId } = await tenant.book({ room: { archive_mode: 'manual' } })
  const baseUrl = service.local.base_url
  const enter = (role: 'moderator' | 'panelist') =>
    enterByHand(tenant, { baseUrl, roomId, role, name: role })
  const [writer, speaker] = [await enter('moderator'), await enter('panelist')]
  const sender = await connectRtcClient(speaker.media.url, speaker.media.token)
  await sender.publish()
  const receiver = await connectRtcClient(writer.media.url, writer.media.token)

  async function frames() {
    const { publisherStats } = await sender.room.getRtcStats()
    const { subscriberStats } = await receiver.room.getRtcStats()
    const sent = publisherStats.map(({ stats }) =>
      stats.case === 'outboundRtp' ? (stats.value.outbound?.framesSent ?? 0) : 0,
    )
    const received = subscriberStats.map(({ stats }) =>
      stats.case === 'inboundRtp' ? Number(stats.value.inbound?.framesReceived ?? 0) : 0,
    )
    return { sent: sumOf(sent), received: sumOf(received) }
  }

  return {
    async during(work: Promise<unknown>): Promise<Live> {
      const answerMs: number[] = []
      const before = await frames()
      const began = performance.now()
      const isOver = work.then(() => true)
      do {
        const asked = performance.now()
        await writer.get('/messages')
        answerMs.push(performance.now() - asked)
      } while (!(await Promise.race([isOver, delay(LIVE_EVERY_MS, false)])))
      const sec = (performance.now() - began) / 1000
      const after = await frames()
      const sent = after.sent - before.sent
      const lostFrames = sent - (after.received - before.received)
      return { answerMs, framesPerSec: sent / sec, lostFrames }
    },
    async close(): Promise<void> {
      await sender.leave()
      await receiver.leave()
      await tenant.close(roomId)
    },
  }
}
