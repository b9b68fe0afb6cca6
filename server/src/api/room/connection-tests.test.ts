import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { expireConnectionTestsJob } from '../../domain/connection-tests/expire-connection-tests.job.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { COMPLETED, FACTS, FAILED, useConnectionTests } from '../../testing/connection-tests.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { failChangesOf } from '../../testing/failing-database.ts'
import { runJobs } from '../../testing/run-jobs.ts'

const plane = useControlPlane()
const { start, report, running, read, webhooksOf } = useConnectionTests(plane)

async function expireAt(moment: Date): Promise<void> {
  const before = plane.now
  plane.now = moment
  const job = expireConnectionTestsJob(plane.deps)
  await enqueue(plane.database.db, job.schedule)
  await runJobs(plane.database.db, job)
  plane.now = before
}

const TCP = { connected: true, connect_ms: 640, ...FACTS.load.downlink }
const BROKEN_TCP = { connected: false, connect_ms: null, audio: null, video: null }

const later = (seconds: number) => new Date(plane.now.getTime() + seconds * 1000)

describe('POST /connection-tests/{connection_test_id}/live/connected', () => {
  // contract: Fields of a ConnectionTest › `client`: `browser_name`, `browser_version`,
  //   `platform_name`, `platform_version`, `is_mobile`
  // contract: States of a ConnectionTest › pending → running when the person is there
  // contract: reportSubjectConnected › 200 by the ticket of `connect_url`, with `media` (`url`,
  //   `publisher_token`, `subscriber_token`); the browser is noted
  test('makes a pending test run, and notes the browser', async () => {
    const started = await start()
    const answer = await report(started, 'connected')
    expect([answer.status, answer.data]).toEqual([
      200,
      {
        media: {
          url: plane.deps.config.livekit.publicUrl,
          publisher_token: 'media-token-of-subject',
          subscriber_token: 'media-token-of-subject-receiver',
        },
      },
    ])
    expect(await read(started)).toMatchObject({
      status: 'running',
      started_at: plane.now.toISOString(),
      completed_at: null,
      client: {
        browser_name: 'Chrome',
        browser_version: '142.0.0.0',
        platform_name: 'Android',
        platform_version: '15',
        is_mobile: true,
      },
    })
  })

  // contract: reportSubjectConnected › What the page knows of its browser goes before the header
  test('trusts the page’s report about its browser', async () => {
    const started = await start()
    await report(started, 'connected', { client: { platform_version: '15.1', is_mobile: false } })
    expect((await read(started)).client).toMatchObject({
      platform_version: '15.1',
      is_mobile: false,
      browser_name: 'Chrome',
    })
  })

  // contract: reportSubjectConnected › 200 on a repeat, which is a sign of life
  test('again is a sign of life and changes nothing that is seen', async () => {
    const started = await running()
    const before = await read(started)
    plane.now = later(200)
    const again = await report(started, 'connected')
    const same = await read(started)
    plane.now = later(200)
    const alive = await read(started)
    plane.now = later(-400)
    expect([again.status, same, alive]).toEqual([200, before, before])
  })

  // contract: reportSubjectConnected › The media room is there before its tokens are
  test.each([
    ['waits', start],
    ['runs', running],
  ])('of a test that %s makes the media room again when it is gone', async (_state, make) => {
    const started = await make()
    await plane.media.deleteRoom(started.room_id)
    const answer = await report(started, 'connected')
    expect([answer.status, plane.media.rooms.has(started.room_id)]).toEqual([200, true])
  })

  // contract: reportSubjectConnected › 503 SERVICE_UNAVAILABLE while the media provider is down
  test('is 503 while the media provider is down, and the test keeps waiting', async () => {
    const started = await start({ record: true })
    plane.media.isDown = true
    const refused = await report(started, 'connected')
    plane.media.isDown = false
    expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '2',
    ])
    expect(await read(started)).toMatchObject({ status: 'pending', started_at: null, client: null })
    const { data } = await plane.tenant.get(`/rooms/${started.room_id}/room-events`)
    expect(data.items).toEqual([])
  })

  test('is a sign of life also while the media provider is down', async () => {
    const started = await running()
    plane.now = later(200)
    plane.media.isDown = true
    const refused = await report(started, 'connected')
    plane.media.isDown = false
    plane.now = later(200)
    const { status } = await read(started)
    plane.now = later(-400)
    expect([refused.status, status]).toEqual([503, 'running'])
  })

  // contract: reportSubjectConnected › 400 INVALID_REQUEST for members of `client`
  test.each([
    [{ client: { browser_name: 7 } }, ['client.browser_name', 'INVALID_TYPE']],
    [{ client: { browser_name: 'x'.repeat(65) } }, ['client.browser_name', 'TOO_LONG']],
    [{ client: { ip: '1' } }, ['client.ip', 'UNKNOWN_FIELD']],
    [{ status: 'running' }, ['status', 'UNKNOWN_FIELD']],
  ])('with %j is 400 INVALID_REQUEST', async (body, detail) => {
    const refused = await report(await start(), 'connected', body)
    expect([refused.status, refused.details]).toEqual([400, [detail]])
  })

  // contract: States of a ConnectionTest › completed, failed and expired are final
  // contract: reportSubjectConnected › 422 VALIDATION_ERROR when it has ended
  test.each(['completed', 'failed', 'expired', 'closed'])(
    'of a test that is %s is 422 VALIDATION_ERROR',
    async (state) => {
      const started = await running()
      const before = plane.now
      if (state === 'completed') await report(started, 'result', COMPLETED)
      if (state === 'failed') await report(started, 'result', FAILED)
      if (state === 'expired') plane.now = later(86_400)
      if (state === 'closed') await plane.tenant.post(`/rooms/${started.room_id}/close`)
      const refused = await report(started, 'connected')
      plane.now = before
      expect([refused.status, refused.code, refused.details]).toEqual([
        422,
        'VALIDATION_ERROR',
        [['status', 'NOT_ALLOWED']],
      ])
    },
  )

  test('of a test that has ended makes no media room', async () => {
    const started = await running()
    await report(started, 'result', COMPLETED)
    await plane.media.deleteRoom(started.room_id)
    await report(started, 'connected')
    expect(plane.media.rooms.has(started.room_id)).toBe(false)
  })
})

describe('POST /connection-tests/{connection_test_id}/live/result', () => {
  // contract: Fields of a ConnectionTest › `devices`: `camera`, `microphone`, `speaker`
  // contract: Fields of a ConnectionTest › `baseline`: `signaling` (`connected`, `connect_ms`),
  //   `media` (`connected`, `connect_ms`, `protocol`, `candidate_type`)
  // contract: Fields of a ConnectionTest › `baseline`: `rtt_ms` and `jitter_ms` (`avg`, `max`)
  // contract: Fields of a ConnectionTest › `load`: `uplink` and `downlink` (`audio`, `video`),
  //   `available_outgoing_kbps`, `downlink_tcp`
  // contract: Fields of a ConnectionTest › `load`: `bitrate_kbps`, `packet_loss_ratio`, `rtt_ms`,
  //   `jitter_ms`, `frame_rate`, `width`, `height`
  // contract: Fields of a ConnectionTest › `load`: `freeze_count`, `limited_by_cpu_sec`,
  //   `limited_by_bandwidth_sec`
  // contract: reportConnectionTestResult › 204; facts and summary are kept
  test('completes a running test with its facts and a summary', async () => {
    const started = await running()
    const answer = await report(started, 'result', COMPLETED)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await read(started)).toMatchObject({
      status: 'completed',
      completed_at: plane.now.toISOString(),
      measured_sec: 20.5,
      ...FACTS,
      summary: {
        audio: { mos: expect.any(Number) },
        packet_loss_ratio: 0.01,
        rtt_ms: 30,
        uplink_kbps: 1500,
        downlink_kbps: 40,
        warnings: ['relay_only'],
      },
      failure_reason: null,
    })
  })

  // contract: States of a ConnectionTest › running → completed; W5, and the room is closed
  // contract: Webhook types › W5 connection_test.completed: `connection_test_id`, `room_id`,
  //   `external_ref`, `status`, `summary`, `failure_reason`, `started_at`, `completed_at`
  test('notifies the tenant by W5 once, and closes the room', async () => {
    const started = await running({ external_type: 'User', external_id: '90210' })
    await report(started, 'result', COMPLETED)
    const { summary } = await read(started)
    const [webhook, ...more] = await webhooksOf(started)
    expect(more).toEqual([])
    expect(webhook).toMatchObject({
      version: '1',
      type: 'connection_test.completed',
      occurred_at: plane.now.toISOString(),
    })
    expect(webhook.data).toEqual({
      connection_test_id: started.id,
      room_id: started.room_id,
      external_ref: { external_type: 'User', external_id: '90210' },
      status: 'completed',
      summary,
      failure_reason: null,
      started_at: plane.now.toISOString(),
      completed_at: plane.now.toISOString(),
    })
    const room = await plane.tenant.get(`/rooms/${started.room_id}`)
    expect(room.data.status).toBe('closed')
    expect(plane.media.rooms.has(started.room_id)).toBe(false)
  })

  // contract: States of a ConnectionTest › running → failed with `failure_reason`; W5
  // contract: reportConnectionTestResult › 204 for a failure with what was measured until then
  test('of a failure keeps the reason and the measurements so far', async () => {
    const started = await running()
    const devices = { camera: 'denied', microphone: 'ok', speaker: 'ok' }
    expect((await report(started, 'result', { ...FAILED, devices })).status).toBe(204)
    expect(await read(started)).toMatchObject({
      status: 'failed',
      failure_reason: 'permission_denied',
      devices,
      baseline: null,
      load: null,
      summary: null,
      measured_sec: null,
    })
    const [webhook] = await webhooksOf(started)
    expect(webhook.data).toMatchObject({
      external_ref: null,
      status: 'failed',
      summary: null,
      failure_reason: 'permission_denied',
    })
  })

  // contract: reportConnectionTestResult › 204 on a repeat: the first result stands
  test('a second report changes nothing and sends no webhook', async () => {
    const started = await running()
    await report(started, 'result', COMPLETED)
    const before = await read(started)
    expect((await report(started, 'result', FAILED)).status).toBe(204)
    expect(await read(started)).toEqual(before)
    expect(await webhooksOf(started)).toHaveLength(1)
  })

  // contract: reportConnectionTestResult › `samples` (120, `CONNECTION_TEST_SAMPLES_MAX`) are kept
  //   and never published
  test('keeps the samples, and publishes none of them', async () => {
    const started = await running()
    const samples = [
      { at_ms: 0, uplink_audio_bytes: 0 },
      { at_ms: 1000, uplink_audio_bytes: 5012, rtt_ms: null },
    ]
    expect((await report(started, 'result', { ...COMPLETED, samples })).status).toBe(204)
    const [row] = await plane.database.db`
      select samples from connection_tests where id = ${started.id}
    `
    expect(row?.['samples']).toEqual(samples)
    const published = JSON.stringify([await read(started), await webhooksOf(started)])
    expect(published).not.toContain('uplink_audio_bytes')
  })

  test.each([
    ['reports the connection over TCP', TCP, TCP],
    ['reports that TCP does not work', BROKEN_TCP, BROKEN_TCP],
    ['of a page that does not know of TCP is null for it', undefined, null],
  ])('%s', async (_what, reported, published) => {
    const started = await running()
    const load = { ...FACTS.load, downlink_tcp: reported }
    expect((await report(started, 'result', { ...COMPLETED, load })).status).toBe(204)
    expect((await read(started)).load.downlink_tcp).toEqual(published)
  })

  // contract: reportConnectionTestResult › 20 concurrent reports are one result and one webhook
  test('20 concurrent reports make one result and one webhook', async () => {
    const started = await running()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => report(started, 'result', COMPLETED)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    expect(await webhooksOf(started)).toHaveLength(1)
  })

  // contract: reportConnectionTestResult › 400 INVALID_REQUEST for each member, and for what does
  //   not belong to its `status`
  // contract: reportConnectionTestResult › 400 INVALID_REQUEST for a sample with more than 100
  //   numbers (`CONNECTION_TEST_SAMPLE_MEMBERS_MAX`)
  test.each([
    [
      'completed without measured_sec',
      { ...COMPLETED, measured_sec: undefined },
      'measured_sec',
      'REQUIRED',
    ],
    ['completed without load', { ...COMPLETED, load: undefined }, 'load', 'REQUIRED'],
    [
      'completed with a failure_reason',
      { ...COMPLETED, failure_reason: 'internal' },
      'failure_reason',
      'NOT_ALLOWED',
    ],
    [
      'with more samples than 120',
      { ...COMPLETED, samples: Array.from({ length: 121 }, () => ({})) },
      'samples',
      'TOO_LONG',
    ],
    [
      'with a sample of more than 100 numbers',
      {
        ...COMPLETED,
        samples: [
          Object.fromEntries(Array.from({ length: 101 }, (_none, at) => [`n${at}_ms`, at])),
        ],
      },
      'samples.0',
      'TOO_LONG',
    ],
    [
      'with a number whose name has more than 64 characters',
      { ...COMPLETED, samples: [{ ['n'.repeat(65)]: 1 }] },
      'samples.0',
      'TOO_LONG',
    ],
    [
      'with a sample that is not a number',
      { ...COMPLETED, samples: [{ at_ms: 'soon' }] },
      'samples.0.at_ms',
      'INVALID_TYPE',
    ],
    ['failed without a reason', { status: 'failed' }, 'failure_reason', 'REQUIRED'],
    [
      'failed for a reason of its own',
      { ...FAILED, failure_reason: 'tired' },
      'failure_reason',
      'INVALID_ENUM',
    ],
    ['expired', { ...COMPLETED, status: 'expired' }, 'status', 'INVALID_ENUM'],
    [
      'measured for less than nothing',
      { ...COMPLETED, measured_sec: -1 },
      'measured_sec',
      'OUT_OF_RANGE',
    ],
    ['with a summary of its own', { ...COMPLETED, summary: {} }, 'summary', 'UNKNOWN_FIELD'],
    [
      'with an unknown fact',
      { ...COMPLETED, baseline: { ...FACTS.baseline, extra: 1 } },
      'baseline.extra',
      'UNKNOWN_FIELD',
    ],
    [
      'with an unknown state of a device',
      { ...COMPLETED, devices: { ...FACTS.devices, camera: 'blurred' } },
      'devices.camera',
      'INVALID_ENUM',
    ],
  ])('%s is 400 INVALID_REQUEST, and the test runs on', async (...[_what, body, field, code]) => {
    const started = await running()
    const refused = await report(started, 'result', body)
    expect([refused.status, refused.code, refused.details]).toEqual([
      400,
      'INVALID_REQUEST',
      [[field, code]],
    ])
    expect((await read(started)).status).toBe('running')
  })

  // contract: reportConnectionTestResult › 422 VALIDATION_ERROR under 15 seconds
  //   (`CONNECTION_TEST_MEASURED_MIN_SEC`) of `measured_sec`
  // contract: Limits › Connection test: 15 seconds of measurement or more
  test('of less than 15 seconds is 422 VALIDATION_ERROR; of 15 is not', async () => {
    const started = await running()
    const refused = await report(started, 'result', { ...COMPLETED, measured_sec: 14.9 })
    expect([refused.status, refused.code, refused.details]).toEqual([
      422,
      'VALIDATION_ERROR',
      [['measured_sec', 'OUT_OF_RANGE']],
    ])
    expect((await report(started, 'result', { ...COMPLETED, measured_sec: 15 })).status).toBe(204)
  })

  // contract: reportConnectionTestResult › 422 VALIDATION_ERROR before the person was there
  test('before the person was there is 422 VALIDATION_ERROR', async () => {
    const started = await start()
    const refused = await report(started, 'result', FAILED)
    expect([refused.status, refused.details]).toEqual([422, [['status', 'NOT_ALLOWED']]])
    expect((await read(started)).status).toBe('pending')
  })
})

describe('the ticket of a connection test', () => {
  // contract: reportSubjectConnected › 401 UNAUTHORIZED for every other ticket, test or key
  // contract: reportConnectionTestResult, repeatConnectionTest › 401 UNAUTHORIZED for every other
  //   ticket
  test('opens its own test only; everything else is the same 401 UNAUTHORIZED', async () => {
    const [mine, another] = [await start(), await start()]
    const attempts = [
      { ...mine, connect_url: another.connect_url },
      { ...mine, connect_url: '#ticket=wrong' },
      { ...mine, id: randomUUID() },
    ]
    const answers = await Promise.all(
      attempts.flatMap((each) => [report(each, 'connected'), report(each, 'repeat')]),
    )
    expect(answers.map(({ status, code }) => [status, code])).toEqual(
      answers.map(() => [401, 'UNAUTHORIZED']),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const without = await plane.tenant.post(`/connection-tests/${mine.id}/live/connected`)
    expect(without.text).toBe(answers[0]?.text)
    expect((await read(mine)).status).toBe('pending')
  })
})

describe('a connection test that nobody finishes', () => {
  // contract: States of a ConnectionTest › pending → expired at `expires_at`, without a webhook
  test('expires at expires_at without a webhook, and its room is closed', async () => {
    const started = await start({ expires_in_seconds: 600 })
    await expireAt(later(599))
    expect((await read(started)).status).toBe('pending')
    await expireAt(later(600))
    const test = await read(started)
    expect([test.status, test.failure_reason, test.completed_at]).toEqual(['expired', null, null])
    const room = await plane.tenant.get(`/rooms/${started.room_id}`)
    expect(room.data.status).toBe('closed')
    expect(await webhooksOf(started)).toEqual([])
  })

  test('expires even after one that cannot be changed', async () => {
    const [failing, next] = [
      await start({ expires_in_seconds: 600 }),
      await start({ expires_in_seconds: 601 }),
    ]
    const rows = { table: 'connection_tests', column: 'id', id: failing.id }
    const repair = await failChangesOf(plane.database.db, rows)
    await expireAt(later(601))
    const roomOf = async ({ room_id }: typeof next) =>
      (await plane.tenant.get(`/rooms/${room_id}`)).data.status
    expect(await roomOf(failing)).not.toBe('closed')
    expect(await roomOf(next)).toBe('closed')
    await repair()
    await expireAt(later(601))
    expect([await roomOf(failing), await roomOf(next)]).toEqual(['closed', 'closed'])
  })

  // contract: States of a ConnectionTest › running → expired after five silent minutes
  test('expires after five minutes without a sign of life, while it runs', async () => {
    const started = await running()
    await expireAt(later(300))
    expect((await read(started)).status).toBe('running')
    await expireAt(later(301))
    expect((await read(started)).status).toBe('expired')
    expect((await report(started, 'result', COMPLETED)).status).toBe(422)
  })

  // contract: States of a ConnectionTest › pending or running → expired by the close of its room
  test('is expired when the tenant closes its room', async () => {
    const started = await running()
    await plane.tenant.post(`/rooms/${started.room_id}/close`)
    expect((await read(started)).status).toBe('expired')
  })

  test('does not expire once its result has arrived', async () => {
    const started = await running()
    await report(started, 'result', COMPLETED)
    await expireAt(later(90_000))
    expect((await read(started)).status).toBe('completed')
  })
})
