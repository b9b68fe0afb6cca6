import type { RecordingCompletenessBody } from '@interview-room/contract/recording-reports.ts'
import { signToken } from '@interview-room/media-server/test/acceptance/harness/tokens.ts'
import {
  connectRtcClient,
  type RtcClient,
} from '@interview-room/media-server/test/support/rtc-client.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { foreignLivekit } from './harness/foreign-livekit.ts'
import { embeddedServer } from './harness/provider.ts'
import { recordingsOf, untilEnded } from './harness/recorded.ts'
import { type RecorderProcess, recorderOf } from './harness/recorder-process.ts'
import { freePort } from './harness/service.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { openVideo } from './harness/video.ts'
import { waitFor } from './harness/wait.ts'

const CALLER = 'sip_+81312345678'
const NAME = '+81 3 1234 5678'
const TONE_HZ = 2000
const QUIET_HZ = 3100
const RATE = 48_000
/** Frames of 10 ms. */
const SECOND_OF_SOUND = 100

/** A LiveKit server that the environment names; a recorder runs beside it. */
const foreign = foreignLivekit()
let recorderPort = 0
let recorder: RecorderProcess | undefined
beforeAll(async () => {
  recorderPort = await freePort()
})
const env = useTestEnvironment({
  ownService: {
    env: () =>
      foreign === undefined
        ? {}
        : { ...foreign.settings, LIVEKIT_EGRESS_URL: `http://127.0.0.1:${recorderPort}` },
    port: foreign?.port,
  },
  hasBrowser: false,
})
beforeAll(async () => {
  if (foreign === undefined) return
  recorder = recorderOf(env.service, recorderPort, { server: foreign })
  await recorder.start()
})
afterAll(() => recorder?.lose())

const server = () => foreign ?? embeddedServer(env.service)

async function allow(...kinds: string[]): Promise<void> {
  const tenant = ['--tenant', env.service.local.tenant_id]
  await env.service.admin(
    'tenants',
    'guests',
    ...tenant,
    ...kinds.flatMap((kind) => ['--kind', kind]),
  )
}

/** Somebody calls by telephone: LiveKit connects them, without the service. */
async function call(roomId: string, kind = 'sip'): Promise<RtcClient> {
  const who = { room: roomId, identity: CALLER, name: NAME, kind }
  const caller = await connectRtcClient(server().url, await signToken(server(), who))
  onTestFinished(() => caller.leave())
  return caller
}

async function entriesOf(roomId: string) {
  const answer = await env.tenant.call('GET', `/rooms/${roomId}/entry-histories`)
  const { data } = (await answer.json()) as { data: { items: { name: string; role: string }[] } }
  return data.items
}

const tone = Int16Array.from(
  { length: 3 * RATE },
  (_, i) => 12_000 * Math.sin((2 * Math.PI * TONE_HZ * i) / RATE),
)

test('a caller by telephone is removed', async () => {
  await allow()
  const { id: roomId } = await env.tenant.book()
  await env.enterByHand({ roomId, role: 'moderator', name: 'Mori' })
  const wasRemoved = async () => {
    const caller = await call(roomId)
    await waitFor(() => !caller.room.isConnected, { what: 'the caller is gone' })
    return 'was removed'
  }
  // The embedded media server may remove them before the client has connected.
  expect(await wasRemoved().catch(String)).toContain('was removed')
  expect(await entriesOf(roomId)).toEqual([])
})

test.each([
  ['sip', 'SIP'],
  ['agent', 'agent'],
])(
  'a guest of the kind %s is listed where the tenant allows it, and heard in the recording',
  async (kind, word) => {
    await allow(kind)
    const { id: roomId } = await env.tenant.book({ room: { archive_mode: 'manual' } })
    const moderator = await env.enterByHand({ roomId, role: 'moderator', name: 'Mori' })
    const listener = await connectRtcClient(moderator.media.url, moderator.media.token)
    onTestFinished(() => listener.leave())
    const caller = await call(roomId, kind)
    const displayName = `${NAME} (${word})`
    const isListed = async () => {
      const { roster } = await moderator.snapshot()
      return roster.some(({ display_name }) => display_name === displayName)
    }
    await waitFor(isListed, { what: 'the caller is in the roster' })
    expect((await entriesOf(roomId)).filter(({ name }) => name === displayName)).toMatchObject([
      { role: 'panelist', participant_id: null, left_at: null },
    ])
    await caller.publishCamera()
    await moderator.post('/recording/start')
    await waitFor(async () => (await recordingsOf(env.tenant, roomId)).length === 1, {
      what: 'the recording is started',
    })
    const isRunning = async () => (await moderator.snapshot()).recording?.running_since != null
    await waitFor(isRunning, { what: 'the recording runs' })
    await moderator.post(`/participants/${encodeURIComponent(CALLER)}/spotlight`)
    await caller.say(tone, RATE)
    await waitFor(() => listener.audioFrames > SECOND_OF_SOUND, { what: 'the caller is heard' })
    await moderator.post('/recording/stop')
    await env.tenant.close(roomId)
    const ended = await untilEnded(env.tenant, roomId)
    expect(ended?.status).toBe('available')
    const read = async <T>(what: string): Promise<T> => {
      const answer = await env.tenant.call('GET', `/recordings/${ended?.id}/${what}`)
      return ((await answer.json()) as { data: T }).data
    }
    const { people } = await read<RecordingCompletenessBody>('completeness')
    const guest = people.find(({ display_name }) => display_name === displayName)
    expect(guest?.actual_sec).toBeGreaterThan(1)
    const { url } = await read<{ url: string }>('download-url')
    const video = await openVideo(Buffer.from(await (await fetch(url)).arrayBuffer()))
    const span = { fromSec: 0, toSec: video.durationSec }
    expect(video.loudnessOf(TONE_HZ, span)).toBeGreaterThan(2 * video.loudnessOf(QUIET_HZ, span))
    video.dispose()
  },
)
