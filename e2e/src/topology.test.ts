import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import type { TicketBody } from '@interview-room/contract/live-entry.ts'
import { connectRtcClient } from '@interview-room/media-server/test/support/rtc-client.ts'
import {
  startTestS3,
  type TestS3,
} from '@interview-room/server/src/platform/storage/testing/s3-server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enterByHand } from './harness/api-participant.ts'
import { type Balancer, startBalancer } from './harness/balancer.ts'
import { type Cluster, startCluster } from './harness/cluster.ts'
import { type MediaPrograms, startMediaPrograms } from './harness/media-programs.ts'
import { type Receiver, startReceiver } from './harness/receiver.ts'
import { untilEnded, untilRecorded } from './harness/recorded.ts'
import { freePort, NODE, ROOT } from './harness/service.ts'
import { actAsTenant, type Tenant } from './harness/tenant.ts'
import { settingsOfS3 } from './harness/test-s3.ts'
import { openVideo } from './harness/video.ts'
import { waitFor } from './harness/wait.ts'

// The processes of compose.yaml: two api and two worker processes behind a balancer, with database, bucket,
// media server and two recorders.

const IS_FULL_RUN = process.env['TEST_SCOPE'] === 'whole'

const run = promisify(execFile)
const RECORDED_SEC = 12
const LOSS_MAX_SEC = 2
/** What a lost recorder had not delivered, with what the moments of two processes differ. */
const LOST_MAX_SEC = 6

const cleanup = new AsyncDisposableStack()
let s3: TestS3
let balancer: Balancer
let cluster: Cluster
let media: MediaPrograms
let recorderPorts: number[]
let receiver: Receiver
let tenant: Tenant

async function start(): Promise<void> {
  s3 = await startTestS3()
  cleanup.defer(() => s3.close())
  const [port, mediaPort] = [await freePort(), await freePort()]
  recorderPorts = [await freePort(), await freePort()]
  balancer = await startBalancer(port)
  cleanup.defer(() => balancer.close())
  const serviceUrl = `http://localhost:${port}`
  s3.corsOrigin = serviceUrl
  media = await startMediaPrograms({ mediaPort, recorderPorts, serviceUrl })
  cleanup.defer(() => media.close())
  cluster = await startCluster({
    apis: 2,
    workers: 2,
    env: {
      ...settingsOfS3(s3),
      PUBLIC_URL: serviceUrl,
      TRUST_PROXY: 'true',
      LIVEKIT_URL: `http://127.0.0.1:${mediaPort}`,
      LIVEKIT_EGRESS_URL: recorderPorts.map((each) => `http://127.0.0.1:${each}`).join(','),
      RECORDING_FROM_CAPTURES: 'true',
      JOB_LEASE_SEC: '3',
    },
  })
  cleanup.defer(() => cluster.stop())
  balancer.targets = cluster.apis.map(({ base }) => base)
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

/** `npm run doctor` with the settings of the cluster, beside its processes. */
async function doctor(changed: Record<string, string> = {}): Promise<CheckResult[]> {
  const env = { ...process.env, ...cluster.settings, ...changed }
  const args = ['scripts/run.mjs', 'server/src/doctor/doctor.ts', '--json']
  const { stdout } = await run(NODE, args, { cwd: ROOT, env }).catch(
    (error: { stdout: string }) => error,
  )
  return (JSON.parse(stdout) as { checks: CheckResult[] }).checks
}

const failed = (checks: readonly CheckResult[]) =>
  checks.filter(({ result }) => result === 'fail').map(({ check }) => check)

/** A caller repeats what a killed process did not answer. */
async function untilDone<T>(what: string, ask: () => Promise<T>): Promise<T> {
  return waitFor(async () => ({ value: await ask() }), { what, timeoutMs: 60_000 }).then(
    ({ value }) => value,
  )
}

const enter = (roomId: string, role: 'moderator' | 'panelist', name: string) =>
  enterByHand(tenant, { baseUrl: cluster.tenant.base_url, roomId, role, name })

async function connect(roomId: string) {
  const inside = await enter(roomId, 'panelist', 'Pana')
  await inside.post('/events', { event_type: 'consent.given' })
  const renewed = await inside.post<TicketBody>('/ticket')
  const client = await connectRtcClient(renewed.media.url, renewed.media.token)
  await client.publish()
  return { inside, client }
}

describe.runIf(IS_FULL_RUN)('two api and two worker processes with everything beside them', () => {
  beforeAll(start)
  afterAll(async () => cleanup.disposeAsync())

  test('pass every check of npm run doctor', async () => {
    expect(failed(await doctor())).toEqual([])
  })

  test.each([
    ['database', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
    ['storage', { S3_BUCKET: 'no-such-bucket' }],
    ['livekit', { LIVEKIT_URL: 'http://127.0.0.1:1' }],
    ['recorder', { LIVEKIT_EGRESS_URL: 'http://127.0.0.1:1' }],
    ['secrets', { SECRETS_KEY: Buffer.alloc(32, 9).toString('base64') }],
    ['ffmpeg', { FFMPEG_PATH: '/no/such/program' }],
    ['address', { PUBLIC_URL: 'http://127.0.0.1:1' }],
  ])('fail a check of npm run doctor where the %s is wrong', async (_what, changed) => {
    expect(failed(await doctor(changed))).not.toEqual([])
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
    const answer = await tenant.call('GET', `/recordings/${recording?.id}/download-url`)
    const { data } = (await answer.json()) as { data: { url: string } }
    const video = await openVideo(Buffer.from(await (await fetch(data.url)).arrayBuffer()))
    expect(video.durationSec).toBeGreaterThan(recordedSec - LOSS_MAX_SEC)
    video.dispose()

    const statuses = () =>
      receiver.received
        .filter(({ type }) => type === 'recording.status_changed')
        .map(({ data }) => data['status'])
    await waitFor(() => statuses().includes('available'), {
      what: 'the recording is reported',
      timeoutMs: 60_000,
    })
    expect(receiver.received.filter(({ isVerified }) => !isVerified)).toEqual([])
    expect(new Set(statuses())).toEqual(new Set(['started', 'stopped', 'uploaded', 'available']))
  })

  test('continue a recording on the other recorder when one is lost with its disk', async () => {
    const { id: roomId } = await tenant.book({ room: { archive_mode: 'manual' } })
    const moderator = await enter(roomId, 'moderator', 'Mori')
    const { client } = await connect(roomId)
    await moderator.post('/recording/start')
    await untilRecorded(moderator, RECORDED_SEC)

    const counts = await Promise.all(recorderPorts.map((each) => media.recordingCount(each)))
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1])
    const lost = recorderPorts[counts.indexOf(1)] ?? 0
    const other = recorderPorts[counts.indexOf(0)] ?? 0
    await media.loseRecorder(lost)
    await waitFor(async () => (await media.recordingCount(other)) === 1, {
      what: 'the other recorder has taken over',
      timeoutMs: 60_000,
    })
    await untilRecorded(moderator, 2 * RECORDED_SEC - LOST_MAX_SEC)
    await moderator.post('/recording/stop')
    await waitFor(async () => (await media.recordingCount(other)) === 0, {
      what: 'the other recorder has been stopped',
      timeoutMs: 10_000,
    })
    const recording = await untilEnded(tenant, roomId)
    expect(recording?.status).toBe('available')
    // What the lost one had delivered is in it.
    expect(recording?.duration_sec).toBeGreaterThan(2 * RECORDED_SEC - 2 * LOST_MAX_SEC)
    await client.leave()
    await tenant.close(roomId)
  })
})
