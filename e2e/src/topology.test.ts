import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import type { TicketBody } from '@interview-room/contract/live-entry.ts'
import type { RecordingCompletenessBody } from '@interview-room/contract/recording-reports.ts'
import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import { connectRtcClient } from '@interview-room/media-server/test/support/rtc-client.ts'
import {
  startTestS3,
  type TestS3,
} from '@interview-room/server/src/platform/storage/testing/s3-server.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { enterByHand } from './harness/api-participant.ts'
import {
  CALM_CAMERA,
  framesShown,
  join,
  launchBrowser,
  openAs,
  type Person,
  relayedConnections,
  RELAYS_ONLY,
} from './harness/browser.ts'
import { type Cluster, LIVEKIT_KEY, startCluster } from './harness/cluster.ts'
import { startExpiredServer } from './harness/expired-server.ts'
import { foreignLivekit } from './harness/foreign-livekit.ts'
import { type Front, startFront } from './harness/front.ts'
import { type MediaPrograms, startMediaPrograms } from './harness/media-programs.ts'
import { type Receiver, startReceiver } from './harness/receiver.ts'
import { untilEnded, untilRecorded } from './harness/recorded.ts'
import { freePort, NODE, ROOT } from './harness/service.ts'
import { actAsTenant, type Tenant } from './harness/tenant.ts'
import { settingsOfS3 } from './harness/test-s3.ts'
import { whyNoProxy } from './harness/tls-proxy.ts'
import { startTurnServer, type TurnServer, whyNoTurn } from './harness/turn-server.ts'
import { openVideo } from './harness/video.ts'
import { waitFor } from './harness/wait.ts'

// The processes of compose.yaml: two api and two worker processes behind its proxy with TLS, with database,
// bucket, media server, TURN and two recorders. The media server is the embedded one, or the LiveKit server that the
// environment names for the acceptance suite.

const IS_FULL_RUN = process.env['TEST_SCOPE'] === 'whole'
/** Installed only if these tests run. */
const NO_PROXY = IS_FULL_RUN ? whyNoProxy() : 'not in this run'
const foreign = foreignLivekit()
const NO_TURN =
  NO_PROXY ?? (foreign === undefined ? whyNoTurn() : 'the LiveKit server has a TURN of its own')

const run = promisify(execFile)
const RECORDED_SEC = 12
const LOSS_MAX_SEC = 2
/** The undelivered part of a lost recorder, with the time difference between two processes. */
const LOST_MAX_SEC = 6
/** The missing part of the interview, including the time until the other recorder has taken over. */
const MISSING_MAX_SEC = 10

const cleanup = new AsyncDisposableStack()
let s3: TestS3
let front: Front
let turn: TurnServer | undefined
let cluster: Cluster
let media: MediaPrograms
let recorderPorts: number[]
let receiver: Receiver
let tenant: Tenant

async function start(): Promise<void> {
  s3 = await startTestS3()
  cleanup.defer(() => s3.close())
  const mediaServer = foreign ?? {
    url: `http://127.0.0.1:${await freePort()}`,
    ...LIVEKIT_KEY,
  }
  recorderPorts = [await freePort(), await freePort()]
  front = await startFront(
    {
      s3,
      mediaPort: Number(new URL(mediaServer.url).port),
      hasProxy: NO_PROXY === undefined,
      port: foreign?.port,
    },
    cleanup,
  )
  const { publicUrl, notificationsUrl: serviceUrl, proxy } = front
  s3.corsOrigin = publicUrl
  if (proxy !== undefined && NO_TURN === undefined) {
    turn = await startTurnServer(proxy.certificate)
    cleanup.defer(async () => turn?.close())
  }
  media = await startMediaPrograms({
    mediaServer,
    isForeign: foreign !== undefined,
    recorderPorts,
    serviceUrl,
    turn: turn?.offer,
  })
  cleanup.defer(() => media.close())
  cluster = await startCluster({
    apis: 2,
    workers: 2,
    port: front.apiPort,
    ...(front.apiHosts !== undefined && { apiHosts: front.apiHosts }),
    env: {
      ...settingsOfS3(s3),
      PUBLIC_URL: publicUrl,
      TRUST_PROXY: 'true',
      LIVEKIT_URL: mediaServer.url,
      LIVEKIT_API_KEY: mediaServer.apiKey,
      LIVEKIT_API_SECRET: mediaServer.apiSecret,
      LIVEKIT_EGRESS_URL: recorderPorts.map((each) => `http://127.0.0.1:${each}`).join(','),
      JOB_LEASE_SEC: '3',
      ...front.settings,
    },
  })
  cleanup.defer(() => cluster.stop())
  front.leadTo(cluster.apis.map(({ base }) => base))
  receiver = await startReceiver(await freePort())
  cleanup.defer(() => receiver.down())
  const whose = ['--tenant', cluster.tenant.tenant_id, '--url', receiver.url]
  const endpoint = (await cluster.admin('webhooks', 'set', ...whose)) as { secret: string }
  receiver.secret = endpoint.secret
  tenant = actAsTenant(cluster.tenant)
}

interface CheckResult {
  check: string
  result: 'ok' | 'warn' | 'fail'
  detail?: string
}

/** Runs `npm run doctor` with the settings of the cluster, beside its processes. */
async function doctor(changed: Record<string, string> = {}): Promise<CheckResult[]> {
  const env = { ...process.env, ...cluster.settings, ...changed }
  const args = ['server/src/doctor/doctor.ts', '--json']
  const { stdout } = await run(NODE, args, { cwd: ROOT, env }).catch(
    (error: { stdout: string }) => error,
  )
  return (JSON.parse(stdout) as { checks: CheckResult[] }).checks
}

/** A machine whose clock is a minute ahead. */
const A_MINUTE_AHEAD = `--import=data:text/javascript,${encodeURIComponent(`
  const now = Date.now
  globalThis.Date = class extends Date {
    constructor(...given) {
      super(...(given.length === 0 ? [now() + 60_000] : given))
    }
    static now = () => now() + 60_000
  }
`)}`

const failed = (checks: readonly CheckResult[]) =>
  checks.filter(({ result }) => result === 'fail').map(({ check }) => check)

/** Repeats a request that a killed process did not answer. */
async function untilDone<T>(what: string, ask: () => Promise<T>): Promise<T> {
  return waitFor(async () => ({ value: await ask() }), { what }).then(({ value }) => value)
}

const enter = (roomId: string, role: 'moderator' | 'panelist', name: string) =>
  enterByHand(tenant, { baseUrl: cluster.tenant.base_url, roomId, role, name })

async function connect(roomId: string) {
  const inside = await enter(roomId, 'panelist', 'Pana')
  await inside.post('/events', { event_type: 'consent.given' })
  const renewed = await inside.post<TicketBody>('/ticket')
  // The program trusts only the machine's certificate authorities.
  const client = await connectRtcClient(cluster.settings['LIVEKIT_URL'] ?? '', renewed.media.token)
  await client.publish()
  return { inside, client }
}

/** The real length of the file, whatever the service reports. */
async function fileSecOf(recording: RecordingBody | undefined): Promise<number> {
  const answer = await tenant.call('GET', `/recordings/${recording?.id}/download-url`)
  const { data } = (await answer.json()) as { data: { url: string } }
  const video = await openVideo(Buffer.from(await (await fetch(data.url)).arrayBuffer()))
  video.dispose()
  return video.durationSec
}

/** A moderator and a panelist with their pages. */
async function openInterview(around: { before?: string } = {}): Promise<[Person, Person]> {
  const { id: roomId } = await tenant.book()
  const browser = await launchBrowser([CALM_CAMERA, front.proxy?.browserFlag ?? ''])
  onTestFinished(() => browser.close())
  const enterAs = async (role: 'moderator' | 'panelist', name: string) => {
    const person = await openAs(browser, await tenant.link({ roomId, role, name }), around)
    await join(person)
    return person
  }
  return [await enterAs('moderator', 'Mori'), await enterAs('panelist', 'Pana')]
}

async function expectMoving({ page }: Person, watched: string): Promise<void> {
  await waitFor(async () => (await framesShown(page, watched)) > 10, {
    what: `${watched} is seen`,
  })
}

describe.runIf(IS_FULL_RUN)('two api and two worker processes with everything beside them', () => {
  beforeAll(start)
  afterAll(async () => cleanup.disposeAsync())

  test('pass every check of npm run doctor', async () => {
    // This machine's fonts are no part of the topology, nor is the TURN server of a foreign LiveKit.
    const others = ['machine:fonts', ...(foreign === undefined ? [] : ['livekit:turn'])]
    const found = (await doctor()).filter(
      ({ check, result }) => result !== 'ok' && !others.includes(check),
    )
    // The proxy's own authority issues certificates for some hours only.
    const turnWarns = {
      check: 'livekit:turn',
      result: 'warn',
      detail: expect.stringMatching(/^the certificate of turns:localhost:\S+ ends in 0 days$/),
    }
    expect(found).toMatchObject(turn === undefined ? [] : [turnWarns])
  })

  test.each<[string, Record<string, string>, string[]]>([
    ['database', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, ['database:responseTime']],
    ['storage', { S3_BUCKET: 'no-such-bucket' }, ['storage:put']],
    ['livekit', { LIVEKIT_URL: 'http://127.0.0.1:1' }, ['livekit:api']],
    ['recorder', { LIVEKIT_EGRESS_URL: 'http://127.0.0.1:1' }, ['livekit:recording']],
    ['secrets', { SECRETS_KEY: Buffer.alloc(32, 9).toString('base64') }, ['keys:service']],
    ['ffmpeg', { FFMPEG_PATH: '/no/such/program' }, ['ffmpeg:program']],
    ['address', { PUBLIC_URL: 'https://127.0.0.1:1' }, ['address:service']],
    ['clock', { NODE_OPTIONS: A_MINUTE_AHEAD }, ['clock:skew']],
  ])('fail a check of npm run doctor where the %s is wrong', async (_what, changed, expected) => {
    expect(failed(await doctor(changed))).toEqual(expect.arrayContaining(expected))
  })

  test('fail checks of npm run doctor when a certificate has expired', async ({ skip }) => {
    skip(NO_PROXY !== undefined, NO_PROXY)
    const expired = await startExpiredServer(front.proxy?.authorityFile ?? '')
    const { url } = expired
    const checks = await doctor({
      PUBLIC_URL: url,
      LIVEKIT_PUBLIC_URL: url.replace(/^http/, 'ws'),
      S3_PUBLIC_ENDPOINT: url,
    })
    await expired.close()
    for (const name of ['address:service', 'storage:signedGet', 'livekit:signalling']) {
      const found = checks.find(({ check }) => check === name)
      expect(found).toMatchObject({
        result: 'fail',
        detail: expect.stringContaining('CERT_HAS_EXPIRED'),
      })
    }
  })

  test('let people see each other by https and wss', async ({ skip }) => {
    skip(NO_PROXY !== undefined, NO_PROXY)
    const [mori, pana] = await openInterview()
    for (const { page, traffic } of [mori, pana]) {
      expect(page.url()).toMatch(/^https:/)
      expect(await page.evaluate(() => isSecureContext)).toBe(true)
      expect(traffic.sockets().length).toBeGreaterThan(0)
      expect(traffic.sockets().filter((url) => !url.startsWith('wss:'))).toEqual([])
      expect(traffic.text()).not.toMatch(/Mixed Content/i)
    }
    await expectMoving(mori, 'Pana')
    await expectMoving(pana, 'Mori')
    expect(await relayedConnections(pana.page)).toBe(0)
  })

  test('let people see each other only through TURN', async ({ skip }) => {
    skip(NO_TURN !== undefined, NO_TURN)
    const [mori, pana] = await openInterview({ before: RELAYS_ONLY })
    await expectMoving(mori, 'Pana')
    await expectMoving(pana, 'Mori')
    expect(await relayedConnections(pana.page)).toBeGreaterThan(0)
  })

  test('carry an interview through the loss of an api and a worker process', async () => {
    const { id: roomId } = await tenant.book({ room: { archive_mode: 'manual' } })
    const moderator = await enter(roomId, 'moderator', 'Mori')
    const { inside: panelist, client } = await connect(roomId)
    const send = (who: typeof moderator, text: string) => {
      const id = crypto.randomUUID()
      const message = { id, content_type: 'text', visibility: 'public', text }
      return untilDone(`"${text}" is sent`, () => who.post('/messages', message))
    }
    await send(moderator, 'before')
    await moderator.post('/recording/start')
    const since = (await untilRecorded(moderator, 2)).getTime()

    const [, api] = cluster.apis
    const [worker] = cluster.workers
    await api?.stop()
    const killing = worker?.kill()
    await send(panelist, 'one api process is gone')
    await api?.start()
    await api?.kill()
    await killing
    await send(moderator, 'both are back')
    await delay(Math.max(0, since + RECORDED_SEC * 1000 - Date.now()))
    const recordedSec = (Date.now() - since) / 1000
    await untilDone('the recording is stopped', () => moderator.post('/recording/stop'))
    // Composing moves to the other worker.
    await worker?.kill()

    const { items } = await moderator.get<{ items: ChatMessageBody[] }>('/messages')
    const said = items.filter(({ content_type }) => content_type === 'text')
    expect(said).toHaveLength(3)
    expect(new Set(said.map(({ text }) => text))).toEqual(
      new Set(['before', 'one api process is gone', 'both are back']),
    )
    const recording = await untilEnded(tenant, roomId)
    expect(recording?.status).toBe('available')
    await client.leave()
    await untilDone('the room is closed', () => tenant.close(roomId))
    expect(await fileSecOf(recording)).toBeGreaterThan(recordedSec - LOSS_MAX_SEC)

    const statuses = () =>
      receiver.received
        .filter(({ type }) => type === 'recording.status_changed')
        .map(({ data }) => data['status'])
    await waitFor(() => statuses().includes('available'), {
      what: 'the recording is reported',
    })
    expect(receiver.received.filter(({ isVerified }) => !isVerified)).toEqual([])
    expect(new Set(statuses())).toEqual(new Set(['started', 'stopped', 'uploaded', 'available']))
  })

  test('continue a recording on the other recorder when one is lost with its disk', async () => {
    const { id: roomId } = await tenant.book({ room: { archive_mode: 'manual' } })
    const moderator = await enter(roomId, 'moderator', 'Mori')
    const { client } = await connect(roomId)
    await moderator.post('/recording/start')
    const since = (await untilRecorded(moderator, RECORDED_SEC)).getTime()

    const counts = await Promise.all(recorderPorts.map((each) => media.recordingCount(each)))
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1])
    const lost = recorderPorts[counts.indexOf(1)] ?? 0
    const other = recorderPorts[counts.indexOf(0)] ?? 0
    await media.loseRecorder(lost)
    await waitFor(async () => (await media.recordingCount(other)) === 1, {
      what: 'the other recorder has taken over',
    })
    await untilRecorded(moderator, 2 * RECORDED_SEC - LOST_MAX_SEC)
    const interviewSec = (Date.now() - since) / 1000
    await moderator.post('/recording/stop')
    await waitFor(async () => (await media.recordingCount(other)) === 0, {
      what: 'the other recorder has been stopped',
    })
    const recording = await untilEnded(tenant, roomId)
    expect(recording?.status).toBe('available')
    // The delivered part of the lost recorder is in it.
    expect(recording?.duration_sec).toBeGreaterThan(2 * RECORDED_SEC - 2 * LOST_MAX_SEC)
    expect(interviewSec - (await fileSecOf(recording))).toBeLessThanOrEqual(MISSING_MAX_SEC)
    const report = await tenant.call('GET', `/recordings/${recording?.id}/completeness`)
    const { data } = (await report.json()) as { data: RecordingCompletenessBody }
    expect(data).toMatchObject({
      is_complete: false,
      people: [{ gaps: [{ reason: 'recorder_failed' }] }],
    })
    expect(data.missing_sec).toBeLessThanOrEqual(MISSING_MAX_SEC)
    await client.leave()
    await tenant.close(roomId)
  })

  // Runs last, because nothing is relayed afterwards.
  test('fail a check of npm run doctor while TURN is down', async ({ skip }) => {
    skip(NO_TURN !== undefined, NO_TURN)
    await turn?.close()
    const found = (await doctor()).find(({ check }) => check === 'livekit:turn')
    expect(found).toMatchObject({
      result: 'fail',
      detail: expect.stringMatching(/turn:127.*; .*turns:localhost/),
    })
  })
})
