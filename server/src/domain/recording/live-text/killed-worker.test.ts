import path from 'node:path'
import { TestClient } from '@interview-room/media-server/src/recorder/test-client.ts'
import { type MediaServer, startMediaServer } from '@interview-room/media-server/src/server.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createLivekitMedia } from '../../../platform/media/livekit/livekit-media.ts'
import { ALL_RIGHTS } from '../../../platform/ports/media.ts'
import { setLiveText } from '../../../platform/tenants/live-text.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { TEST_ENVIRONMENT } from '../../../testing/deps.ts'
import { connectMedia } from '../../../testing/entries.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { IS_FULL_RUN } from '../../../testing/scope.ts'
import { type ServiceProcess, startServiceProcess } from '../../../testing/service-process.ts'
import { opusPackets } from '../../../testing/spoken-capture.ts'
import { COUNTER_RATE, tonesOf } from '../../../testing/spoken-counter.ts'
import { waitFor } from '../../../testing/wait-for.ts'

const { LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = TEST_ENVIRONMENT
const PROGRAM = path.resolve(import.meta.dirname, '../../../testing/hear-counter-live.ts')
const CONNECT_MS = 15_000
/** A number, and then silence until the next one. */
const EVERY_SEC = 3

const plane = useControlPlane()
const live = useLiveRooms(plane)
let server: MediaServer
beforeAll(async () => {
  server = await startMediaServer({ host: '127.0.0.1', port: 0, apiKeys: { [apiKey]: apiSecret } })
})
afterAll(() => server.close())

/** A person who says a number again and again, as the media server and the database know them. */
async function speaker(): Promise<{ roomId: string; identity: string }> {
  const { tenantId } = plane.tenant
  await setLiveText(plane.database.db, { tenantId, audience: 'staff' })
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const { participantId: identity } = await live.enter(roomId, 'moderator')
  const media = createLivekitMedia({
    apiKey,
    apiSecret,
    apiUrl: server.url,
    publicUrl: server.url,
    egressUrls: [server.url],
    drainedEgressUrls: [],
    inspectorUrl: undefined,
    masksArrivals: false,
    clock: () => new Date(),
  })
  await media.ensureRoom({ name: roomId, emptyTimeoutSec: 300, metadata: {} })
  const grant = { mediaRoom: roomId, identity, displayName: 'M', lifeSec: 600 } as const
  const token = await media.signToken({ ...grant, role: 'moderator', rights: ALL_RIGHTS })
  const said = tonesOf('4711')
  const silence = Buffer.alloc(2 * COUNTER_RATE * EVERY_SEC - said.length)
  const opus = await opusPackets(Buffer.concat([said, silence]))
  const client = new TestClient(server.url, token, { opus })
  onTestFinished(() => client.leave())
  await client.join(CONNECT_MS)
  await client.publish(CONNECT_MS)
  const [connection] = (await media.listConnections(roomId)) ?? []
  await connectMedia(plane, { roomId, identity, mediaSid: connection?.sid ?? '' })
  return { roomId, identity }
}

async function startWorker(): Promise<ServiceProcess> {
  const worker = await startServiceProcess({
    databaseUrl: plane.database.url,
    role: 'worker',
    env: {
      LIVEKIT_URL: server.url,
      JOB_LEASE_SEC: '3',
      MASK_ARRIVALS: 'false',
      LIVE_TEXT_ENGINES: 'local',
      LIVE_TEXT_LOCAL_COMMAND: JSON.stringify([process.execPath, PROGRAM]),
    },
  })
  onTestFinished(async () => void (await worker.stop('SIGKILL')))
  return worker
}

test.runIf(IS_FULL_RUN)(
  'a killed worker is replaced, and what was said is text once, with its time',
  async () => {
    const { db } = plane.database
    const { roomId, identity } = await speaker()
    const texts = () =>
      db<{ text: string; identity: string; startedAt: Date; endedAt: Date; listener: string }[]>`
        select text, media_identity as identity, started_at as "startedAt", ended_at as "endedAt",
               left(segment, 36) as listener
          from live_texts where room_id = ${roomId} order by started_at
      `
    const first = await startWorker()
    await waitFor(async () => (await texts()).length >= 2)
    await startWorker()
    await first.stop('SIGKILL')
    const before = (await texts()).length
    await waitFor(async () => (await texts()).length >= before + 3)
    const said = await texts()
    expect(new Set(said.map((each) => `${each.identity} ${each.text}`))).toEqual(
      new Set([`${identity} 4711`]),
    )
    expect(new Set(said.map(({ listener }) => listener)).size).toBe(2)
    const overlapping = said.filter(({ startedAt }, at) => {
      const previous = said[at - 1]
      return previous !== undefined && startedAt <= previous.endedAt
    })
    expect(overlapping).toEqual([])
  },
)
