import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { INVARIANT_CHECKS } from '../domain/monitoring/check-invariants.ts'
import { loadConfig } from '../platform/config/config.ts'
import type { Db } from '../platform/db/db.ts'
import { createSecretBox } from '../platform/lib/secret-box.ts'
import { setEndpoint } from '../platform/webhooks/set-endpoint.ts'
import { type ActingTenant, createActingTenant } from '../testing/acting-tenant.ts'
import { useControlPlane } from '../testing/control-plane.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'
import { addRecording, putObject } from '../testing/recordings.ts'
import { runAdmin } from './run-admin.ts'

const plane = useControlPlane()
let db: Db
let acting: ActingTenant

beforeAll(async () => {
  db = plane.database.db
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
  await setEndpoint(plane.deps, { tenantId: acting.tenantId, url: 'http://127.0.0.1:1/hooks' })
})

// Events that nobody could send are no answer of the service.
afterAll(() => db`delete from webhook_events`)

async function run(args: string[], overrides = {}) {
  const deps = { ...plane.deps, ...overrides }
  const { exitCode, stdout, stderr } = await runAdmin([...args, '--json'], () => ({
    deps,
    close: async () => {},
  }))
  return { exitCode, stderr, answer: stdout === '' ? undefined : JSON.parse(stdout) }
}

async function enter(roomId: string, entered: string, left: string | null): Promise<string> {
  const mediaSid = randomUUID()
  await db`
    with clock as (update room_clocks set seq = seq + 1 where room_id = ${roomId} returning seq)
    insert into entry_histories (tenant_id, room_id, seq, media_identity, media_sid, name, role,
                                 entered_at, left_at)
    select ${acting.tenantId}, ${roomId}, seq, 'x', ${mediaSid}, 'x', 'panelist',
           clock_timestamp() - ${entered}::interval, clock_timestamp() - ${left}::interval
      from clock
  `
  return mediaSid
}

async function addDelivery(streamKey: string, dedupeKey: string = randomUUID()): Promise<string> {
  const id = `evt_${randomUUID()}`
  await db`
    insert into webhook_events (id, tenant_id, type, occurred_at, stream_key, dedupe_key, body)
    values (${id}, ${acting.tenantId}, 'webhook.test', clock_timestamp(), ${streamKey}, ${dedupeKey},
            '{}')
  `
  await db`
    insert into webhook_deliveries (event_id, endpoint_id, stream_key)
    select ${id}, e.id, ${streamKey} from webhook_endpoints e where e.tenant_id = ${acting.tenantId}
  `
  return id
}

const jobs = () => db`select kind, key, state, attempt from jobs order by kind`

const forgetAll = () => db`delete from webhook_events`

describe('a stuck job', () => {
  test('is listed with its reason, both a discarded one and one that no worker takes', async () => {
    await db`
      insert into jobs (kind, key, state, attempt, due_at, last_error) values
        ('given-up', 'a', 'discarded', 9, clock_timestamp(), 'Error: no such room'),
        ('waiting', 'a', 'due', 0, clock_timestamp() - interval '5 minutes', null),
        ('failing', 'a', 'due', 3, clock_timestamp() + interval '5 minutes', 'Error: down'),
        ('fresh', 'a', 'due', 0, clock_timestamp(), null),
        ('later', 'a', 'due', 0, clock_timestamp() + interval '1 day', null)
    `
    const kinds = async (...args: string[]) => {
      const { exitCode, answer } = await run(['jobs', ...args])
      expect(exitCode).toBe(0)
      return answer.map(({ kind }: { kind: string }) => kind)
    }
    expect(await kinds()).toEqual(['waiting', 'given-up', 'failing'])
    expect(await kinds('--state', 'discarded')).toEqual(['given-up'])
    expect(await kinds('--state', 'due')).toEqual(['waiting', 'fresh'])
    expect((await run(['jobs'])).answer[1]).toMatchObject({
      state: 'discarded',
      attempt: 9,
      last_error: 'Error: no such room',
    })
    expect((await run(['jobs', '--state', 'odd'])).exitCode).toBe(2)
    await db`delete from jobs`
  })
})

describe('a job that was given up', () => {
  const NAME = ['--kind', 'given-up', '--key', 'a']

  beforeEach(
    () => db`
    insert into jobs (kind, key, state, attempt, due_at, last_error) values
      ('given-up', 'a', 'discarded', 9, clock_timestamp() - interval '1 hour', 'Error: down'),
      ('waiting', 'a', 'due', 3, clock_timestamp(), 'Error: down')
  `,
  )
  afterEach(() => db`delete from jobs`)

  test('runs again from its first attempt', async () => {
    expect(await run(['jobs', 'retry', ...NAME])).toMatchObject({
      exitCode: 0,
      answer: { kind: 'given-up', key: 'a', state: 'due' },
    })
    expect(await jobs()).toMatchObject([{ state: 'due', attempt: 0 }, { attempt: 3 }])
    const due = await db`select 1 from jobs where kind = 'given-up' and due_at <= clock_timestamp()`
    expect(due).toHaveLength(1)
  })

  test('is forgotten, and no longer a violation', async () => {
    const violated = async () =>
      (await run(['check'])).answer.violations.map(
        ({ invariant }: { invariant: string }) => invariant,
      )
    expect(await violated()).toContain('no-job-is-given-up')
    expect(await run(['jobs', 'forget', ...NAME])).toMatchObject({
      exitCode: 0,
      answer: { kind: 'given-up', key: 'a', state: 'forgotten' },
    })
    expect(await jobs()).toMatchObject([{ kind: 'waiting' }])
    expect(await violated()).not.toContain('no-job-is-given-up')
  })

  test.each(['retry', 'forget'])('is the only kind that %s takes', async (verb) => {
    const before = await jobs()
    const refused = await run(['jobs', verb, '--kind', 'waiting', '--key', 'a'])
    expect(refused).toMatchObject({ exitCode: 1, stderr: 'no job waiting a was given up\n' })
    expect((await run(['jobs', verb, '--kind', 'waiting'])).exitCode).toBe(2)
    expect(await jobs()).toEqual(before)
  })

  test('is listed by the noun without a verb', async () => {
    const refused = await run(['jobs', 'due'])
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain("too many arguments for 'jobs'")
  })
})

describe('a dead endpoint', () => {
  test('is listed with the number of waiting events, and its deliveries by state', async () => {
    const failed = await addDelivery('a')
    const parked = await addDelivery('b')
    const pending = await addDelivery('c')
    await db`update webhook_deliveries set state = 'failed', last_status = 500 where event_id = ${failed}`
    await db`update webhook_deliveries set parked_at = clock_timestamp() where event_id = ${parked}`
    const ids = async (state: string) =>
      (await run(['deliveries', '--state', state])).answer.map(
        ({ event_id }: { event_id: string }) => event_id,
      )
    expect(await ids('failed')).toEqual([failed])
    expect(await ids('parked')).toEqual([parked])
    expect(await ids('pending')).toEqual([parked, pending])
    expect((await run(['deliveries'])).answer).toMatchObject([
      { event_id: failed, tenant_id: acting.tenantId, last_status: 500 },
    ])

    expect((await run(['endpoints'])).answer).toEqual([])
    await db`update webhook_endpoints set state = 'gone'`
    expect((await run(['endpoints'])).answer).toMatchObject([
      { tenant_id: acting.tenantId, state: 'gone', pending: 2 },
    ])
    await db`update webhook_endpoints set state = 'active'`
    await forgetAll()
  })

  test('is not listed when it was removed and nothing waits for it', async () => {
    await db`update webhook_endpoints set state = 'disabled'`
    expect((await run(['endpoints'])).answer).toEqual([])
    await db`update webhook_endpoints set state = 'active'`
  })
})

/** How each rule is broken, and what the report names. Where a constraint holds it, without that. */
const BREACHES: Record<string, () => Promise<string>> = {
  async 'one-session-per-reference'() {
    await db`alter table sessions drop constraint sessions_external_ref_is_unique`
    await acting.addRoom()
    await acting.addRoom()
    await db`update sessions set external_type = 'Slot', external_id = 'same'`
    const [row] = await db`select min(id::text) as id from sessions`
    return row?.['id']
  },
  async 'nobody-in-a-closed-room'() {
    const { roomId } = await acting.addRoom()
    const sid = await enter(roomId, '1 hour', null)
    await db`update rooms set closed_at = clock_timestamp() - interval '2 minutes' where id = ${roomId}`
    return entryOf(sid)
  },
  async 'nobody-enters-a-closed-room'() {
    const { roomId } = await acting.addRoom()
    await db`
      with clock as (update room_clocks set seq = seq + 1 where room_id = ${roomId} returning seq)
      insert into room_events (tenant_id, room_id, seq, event_type, created_at)
      select ${acting.tenantId}, ${roomId}, seq, 'room.closed', clock_timestamp() - interval '1 hour'
        from clock
    `
    return entryOf(await enter(roomId, '1 hour', '30 minutes'))
  },
  async 'no-banned-person-inside'() {
    const { roomId } = await acting.addRoom()
    const participantId = randomUUID()
    await db`
      insert into participants (id, tenant_id, room_id, seq, role, display_name, anonymous_key,
                                created_at, banned_at)
      values (${participantId}, ${acting.tenantId}, ${roomId}, 0, 'panelist', 'x', 'x',
              clock_timestamp(), clock_timestamp() - interval '1 minute')
    `
    const sid = await enter(roomId, '1 hour', null)
    await db`update entry_histories set participant_id = ${participantId} where media_sid = ${sid}`
    return entryOf(sid)
  },
  async 'one-event-per-transition'() {
    await db`alter table webhook_events drop constraint webhook_events_one_per_transition`
    const ids = [await addDelivery('x', 'twice'), await addDelivery('x', 'twice')]
    return ids.toSorted()[0] ?? ''
  },
  async 'every-delivery-goes-on'() {
    const id = await addDelivery('forgotten')
    await db`
      update webhook_deliveries
         set due_at = null, created_at = clock_timestamp() - interval '1 hour'
       where event_id = ${id}
    `
    return id
  },
  async 'deliveries-are-made'() {
    const id = await addDelivery('late')
    await db`
      update webhook_deliveries set due_at = clock_timestamp() - interval '1 hour' where event_id = ${id}
    `
    return id
  },
  async 'jobs-are-run'() {
    await db`
      insert into jobs (kind, key, due_at) values ('late', 'a', clock_timestamp() - interval '1 hour')
    `
    return 'late a'
  },
  async 'no-job-is-given-up'() {
    await db`insert into jobs (kind, key, state) values ('hopeless', 'a', 'discarded')`
    return 'hopeless a'
  },
  async 'available-recordings-have-a-file'() {
    await db`alter table recordings drop constraint recordings_available_ones_have_a_file`
    const id = await addRecording(plane, (await acting.addRoom()).roomId)
    await db`update recordings set storage_key = null where id = ${id}`
    return id
  },
  async 'files-fit-the-data'() {
    await db`
      insert into storage_differences (kind, storage_key, found_at, is_held)
      values ('missing', 'a recording', clock_timestamp(), false)
    `
    return 'a recording'
  },
  async 'one-running-transcription'() {
    await db`drop index transcriptions_one_running`
    const recordingId = await addRecording(plane, (await acting.addRoom()).roomId)
    await db`
      insert into transcriptions (id, tenant_id, recording_id, room_id, seq, provider, status,
                                  language, kind, created_at, updated_at)
      select gen_random_uuid(), tenant_id, id, room_id, n, 'engine_c', 'processing', 'ja-JP',
             'transcription', clock_timestamp(), clock_timestamp()
        from recordings, generate_series(1, 2) n
       where id = ${recordingId}
    `
    return recordingId
  },
  async 'nothing-of-the-deleted'() {
    const { roomId } = await acting.addRoom()
    const recordingId = randomUUID()
    await db`
      insert into recording_deletions (recording_id, tenant_id, room_id, deleted_at)
      values (${recordingId}, ${acting.tenantId}, ${roomId}, clock_timestamp() - interval '1 hour')
    `
    await addDelivery(`recording:${recordingId}`)
    return recordingId
  },
  async 'logs-behind-their-clock'() {
    const { roomId } = await acting.addRoom()
    await enter(roomId, '1 hour', '30 minutes')
    await db`update room_clocks set seq = 0 where room_id = ${roomId}`
    return roomId
  },
  async 'nobody-leaves-before-entering'() {
    await db`alter table entry_histories drop constraint entry_histories_left_after_entered`
    return entryOf(await enter((await acting.addRoom()).roomId, '1 hour', '2 hours'))
  },
}

async function entryOf(mediaSid: string): Promise<string> {
  const [row] = await db`select id::text as id from entry_histories where media_sid = ${mediaSid}`
  return row?.['id']
}

describe('the list of recorders', () => {
  test('says what the storage lacks of each, and which does not answer', async () => {
    const delivery = {
      egressId: 'EG_1',
      undeliveredSec: 42,
      lastDeliveredAt: null,
      lastRefusedAt: '2026-11-28T10:00:00.000Z',
      refusal: 'AccessDenied (403)',
    }
    const health = { recording: 1, problems: [], undeliveredSec: 42, deliveries: [delivery] }
    const server = createServer((_request, response) => response.end(JSON.stringify(health)))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const away = 'http://127.0.0.1:2'
    const config = loadConfig({ ...TEST_ENVIRONMENT, LIVEKIT_EGRESS_URL: `${url},${away}` })
    const { exitCode, answer } = await run(['recorders'], { config })
    server.closeAllConnections()
    server.close()
    expect(exitCode).toBe(0)
    expect(answer).toEqual([
      {
        recorder: url,
        answers: true,
        problems: [],
        recording: 1,
        undelivered_sec: 42,
        deliveries: [
          {
            egress_id: 'EG_1',
            undelivered_sec: 42,
            last_delivered_at: null,
            last_refused_at: delivery.lastRefusedAt,
            refusal: 'AccessDenied (403)',
          },
        ],
      },
      { recorder: away, answers: false },
    ])
  })
})

describe('the check of files', () => {
  test('names the missing files', async () => {
    const { roomId } = await acting.addRoom()
    const kept = await addRecording(plane, roomId)
    const lost = await addRecording(plane, roomId)
    expect(await run(['check', 'files'])).toMatchObject({ exitCode: 0, answer: { missing: [] } })
    await plane.storage.delete([`${acting.tenantId}/recordings/${lost}`])
    const { exitCode, answer } = await run(['check', 'files'])
    const named = { resource: 'recording', id: lost, tenant_id: acting.tenantId }
    const found = { checked: 2, missing: [named], unnamed: [] }
    expect({ exitCode, answer }).toEqual({ exitCode: 1, answer: found })
    await db`delete from recordings where id in (${kept}, ${lost})`
    plane.storage.objects.clear()
  })
})

describe('the check of objects', () => {
  test('names those that no row names', async () => {
    const key = `${acting.tenantId}/recordings/${randomUUID()}.mp4`
    putObject(plane, key, 'x')
    const { exitCode, answer } = await run(['check', 'files'])
    const named = { key, stored_at: plane.now.toISOString(), is_newer_than_data: true }
    expect({ exitCode, answer }).toMatchObject({ exitCode: 1, answer: { unnamed: [named] } })
    await plane.storage.delete([key])
  })
})

describe('the check of invariants', () => {
  test('finds nothing, and exits 0, if all invariants hold', async () => {
    const { roomId } = await acting.addRoom()
    await enter(roomId, '1 hour', null)
    await addDelivery('a')
    await addRecording(plane, (await plane.book()).id)
    const { exitCode, answer } = await run(['check'])
    expect(answer).toEqual({ checked: INVARIANT_CHECKS.length, violations: [] })
    expect(exitCode).toBe(0)
  })

  test.each(
    INVARIANT_CHECKS.filter(({ name }) => name !== 'secrets-can-be-read').map(
      ({ name, passes }) => [name, passes] as const,
    ),
  )('says that %s does not hold, and exits 1', async (name, rule) => {
    const example = await BREACHES[name]?.()
    const { exitCode, answer } = await run(['check'])
    expect(exitCode).toBe(1)
    expect(answer.violations).toContainEqual({
      invariant: name,
      rule,
      examples: expect.arrayContaining([example]),
    })
  })

  test('reports that the key does not decrypt the secrets', async () => {
    const { exitCode, answer } = await run(['check'], {
      secretBox: createSecretBox(Buffer.alloc(32, 9)),
    })
    expect(exitCode).toBe(1)
    expect(answer.violations).toContainEqual(
      expect.objectContaining({
        invariant: 'secrets-can-be-read',
        examples: [expect.stringMatching(/^webhook secret \S+ of endpoint \S+ of tenant \S+$/)],
      }),
    )
  })
})
