import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ErasureBody } from '@interview-room/contract/data-protection.ts'
import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import type { OutputMode } from '@interview-room/contract/vocabulary.ts'
import type { Db } from '@interview-room/server/src/platform/db/db.ts'
import {
  startTestS3,
  type TestS3,
} from '@interview-room/server/src/platform/storage/testing/s3-server.ts'
import { findInDatabase } from '@interview-room/server/src/testing/find-in-database.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectAgreed } from './harness/api-participant.ts'
import {
  DELETED,
  HEARD,
  KEPT,
  referenceTo,
  SIMULATED,
  STAYING,
  type Subject,
  talk,
  textsOf,
} from './harness/erased-people.ts'
import { filesBelow } from './harness/leftovers.ts'
import { untilEnded, untilRecorded } from './harness/recorded.ts'
import { openServiceDb } from './harness/service-db.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { settingsOfS3 } from './harness/test-s3.ts'
import { LATER_MS, SOON_MS, waitFor } from './harness/wait.ts'

const RECORDED_SEC = 4

type Ask = <T>(method: string, where: string, body?: object) => Promise<T>

describe.runIf(IS_FULL_RUN).each([
  { what: 'a folder', hasBucket: false },
  { what: 'a bucket', hasBucket: true },
])('a search after erasures, with files in $what,', ({ hasBucket }) => {
  let s3: TestS3 | undefined
  beforeAll(async () => {
    if (hasBucket) s3 = await startTestS3()
  })
  afterAll(async () => s3?.close())

  const env = useTestEnvironment({
    ownService: {
      env: () => ({
        LOG_LEVEL: 'trace',
        TRANSCRIPTION_LOCAL_COMMAND: JSON.stringify(['sh', '-c', HEARD, '{audio}']),
        ...(s3 && settingsOfS3(s3)),
      }),
    },
    hasBrowser: false,
    hasReceiver: true,
  })
  let db: Db
  let ask: Ask
  let deletedIds: string[]
  let keptIds: string[]
  let kept: RecordingBody

  beforeAll(async () => {
    db = openServiceDb(env.service.dataDir)
    ask = await askAs(env.service.local.tenant_id)
  })
  afterAll(() => db.end())

  /** Requests by a new key of a tenant that may do everything. */
  async function askAs(tenantId: string): Promise<Ask> {
    const whose = ['--tenant', tenantId, '--scope', 'control', '--scope', 'manage']
    const issued = await env.service.admin('api-keys', 'issue', ...whose)
    const { api_key } = issued as { api_key: string }
    const authorization = `ApiKey ${api_key}`
    return async (method, where, body) => {
      const answer = await fetch(`${env.service.local.base_url}/api/v1${where}`, {
        method,
        headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(SOON_MS),
      })
      const { data, error } = (await answer.json()) as { data: never; error?: object }
      if (!answer.ok) throw new Error(`${where}: ${answer.status} ${JSON.stringify(error)}`)
      return data
    }
  }
  /** A recorded and transcribed interview with everything that the person leaves behind, until it is closed. */
  async function holdInterview(person: Subject, outputMode: OutputMode): Promise<RecordingBody> {
    const { id: roomId } = await env.tenant.book({
      room: { archive_mode: 'manual', transcription_language: 'en-US' },
    })
    const enter = (role: string, { name, externalId }: Subject) =>
      env.enterByHand({ roomId, role, name, externalId })
    const moderator = await enter('moderator', STAYING)
    const panelist = await enter('panelist', person)
    const first = await connectAgreed(panelist)
    await first.publish()
    // A second connection of the same person: the pages do that, too.
    await first.leave()
    const again = await connectAgreed(panelist)
    await again.publish()
    const staying = await connectAgreed(moderator)
    await staying.publish()
    await moderator.post('/recording/start', { output_mode: outputMode })
    await untilRecorded(moderator, 0)
    await talk(panelist, person)
    await talk(moderator, STAYING)
    await panelist.post('/events', { event_type: 'hand.raised' })
    await panelist.post('/events', { event_type: 'help.requested' })
    await panelist.post('/rating', { score: 4, comment: `It was ${person.word}.` })
    await untilRecorded(moderator, RECORDED_SEC)
    await moderator.post('/recording/pause', {})
    await moderator.post('/recording/resume', {})
    await untilRecorded(moderator, RECORDED_SEC)
    await ask('POST', '/connection-tests', { ...referenceTo(person), name: person.name })
    await env.tenant.close(roomId)
    await Promise.all([again.leave(), staying.leave()])
    const recording = await untilEnded(env.tenant, roomId)
    expect(recording?.status).toBe('available')
    await waitFor(
      async () => {
        const { items } = await ask<{ items: { status: string }[] }>(
          'GET',
          `/recordings/${recording?.id}/transcriptions`,
        )
        return items[0]?.status === 'done'
      },
      { what: 'the transcription is done', timeoutMs: LATER_MS },
    )
    await ask('POST', '/data-subjects/exports', referenceTo(person))
    return recording as RecordingBody
  }

  /** The ids of the person, and of everything that belongs only to the person. */
  async function idsOf({ externalId }: Subject): Promise<string[]> {
    const rows = await db<{ id: string }[]>`
      with theirs as (select id from participants where external_id = ${externalId}),
           entered as (select id, media_sid from entry_histories
                        where participant_id in (select id from theirs))
      select id::text from theirs
      union select 'entry:' || id from entered
      union select media_sid from entered
      union select id::text from admissions where participant_id in (select id from theirs)
      union select track_sid from published_tracks
             where media_sid in (select media_sid from entered)
      union select id::text from chat_messages where participant_id in (select id from theirs)
      union select id::text from chat_attachments
             where media_identity in (select id::text from theirs)
      union select id::text from connection_tests where external_id = ${externalId}
      union select ticket from connection_tests where external_id = ${externalId}
    `
    return rows.map(({ id }) => id)
  }

  /** Moves times back: rooms were closed long ago, and tests are over. */
  async function passTime(): Promise<void> {
    await db`update rooms set closed_at = closed_at - interval '10 minutes'`
    await db`update connection_tests set expires_at = now() - interval '10 minutes'`
  }

  async function erase(
    person: Subject,
    recordings: 'delete' | 'keep',
    request = ask,
  ): Promise<void> {
    const order = { ...referenceTo(person), recordings }
    const { id } = await request<ErasureBody>('POST', '/data-subjects/erasures', order)
    await waitFor(
      async () =>
        (await request<ErasureBody>('GET', `/data-subjects/erasures/${id}`)).state === 'done',
      { what: 'the erasure is done', timeoutMs: LATER_MS, everyMs: 500 },
    )
  }

  /**
   * Searches the names and bytes of all files, except those of the database, whose tables are searched, and the recorder's notes of
   * one day (docs/data-protection.md).
   */
  function findInFiles(texts: readonly string[]): string[] {
    const { dataDir } = env.service
    const files = readdirSync(dataDir, { withFileTypes: true })
      .filter(({ name }) => name !== 'postgres')
      .map((entry) => ({ entry, file: path.join(dataDir, entry.name) }))
      .flatMap(({ entry, file }) => (entry.isDirectory() ? filesBelow(file) : [file]))
    return files
      .filter((file) => !file.includes('/media/egress/ended/'))
      .flatMap((file) => {
        const content = readFileSync(file)
        return texts
          .filter((text) => file.includes(text) || content.includes(text))
          .map((text) => `${path.relative(dataDir, file)}: ${text}`)
      })
  }

  /** Searches the keys, media types and bytes of all objects, and unfinished uploads. */
  function findInBucket(texts: readonly string[]): string[] {
    const whole = [...(s3?.objects ?? [])].map(
      ([key, { type, body }]) =>
        [key, Buffer.concat([Buffer.from(`${key} ${type} `), body])] as const,
    )
    const parts = [...(s3?.uploads ?? [])].map(
      ([id, bodies]) => [`upload ${id}`, Buffer.concat([...bodies.values()])] as const,
    )
    return [...whole, ...parts].flatMap(([key, content]) =>
      texts.filter((text) => content.includes(text)).map((text) => `bucket/${key}: ${text}`),
    )
  }

  const find = async (texts: readonly string[]) => [
    ...(await findInDatabase(db, texts)),
    ...findInFiles(texts),
    ...findInBucket(texts),
  ]

  test(
    'finds nothing of a person whose recordings went, in tables, files and log',
    { timeout: 900_000 },
    async () => {
      await holdInterview(DELETED, 'composed')
      kept = await holdInterview(KEPT, 'individual')
      deletedIds = await idsOf(DELETED)
      keptIds = await idsOf(KEPT)
      const texts = [...textsOf(DELETED), ...deletedIds]
      const before = await find(texts)
      expect(texts.filter((text) => !before.some((place) => place.endsWith(`: ${text}`)))).toEqual(
        [],
      )
      await passTime()
      await erase(DELETED, 'delete')
      // The engine heard both people everywhere: the transcript of the other room stays.
      const after = (await find(texts)).filter((place) => !place.includes('transcript'))
      expect(after).toEqual([])
    },
  )

  test('finds a person in the files of recordings that are kept', async () => {
    await erase(KEPT, 'keep')
    const after = await find([...textsOf(KEPT), ...keptIds])
    const stored = hasBucket ? 'bucket/' : 'storage/'
    expect(after.filter((place) => !place.startsWith(stored))).toEqual([])
    expect(after.filter((place) => !/\/(recordings|transcripts)\//.test(place))).toEqual([])
    expect(after.length).toBeGreaterThan(0)
    expect((await env.tenant.call('GET', `/recordings/${kept.id}`)).status).toBe(200)
    expect((await find(textsOf(STAYING))).length).toBeGreaterThan(5)
  })

  test('finds nothing of a simulated person', { timeout: 600_000 }, async () => {
    const made = ['tenants', 'create', '--name', 'Sandbox', '--sandbox']
    const { tenant_id: tenantId } = (await env.service.admin(...made)) as { tenant_id: string }
    const request = await askAs(tenantId)
    const startsAt = Date.now() + 60_000
    const { id } = await request<{ id: string }>('POST', '/rooms', {
      kind: 'interview',
      transcription_language: 'en-US',
      session: {
        external_type: 'Slot',
        external_id: randomUUID(),
        starts_at: new Date(startsAt).toISOString(),
        ends_at: new Date(startsAt + 3_600_000).toISOString(),
      },
    })
    const people = `/sandbox/rooms/${id}/people`
    await request('POST', people, { role: 'moderator', name: STAYING.name })
    const who = { name: SIMULATED.name, ...referenceTo(SIMULATED) }
    await request('POST', people, { role: 'panelist', ...who })
    await request('POST', '/sandbox/triggers', { type: 'transcription.completed', room_id: id })
    await waitFor(
      async () => {
        const { items } = await request<{ items: { type: string }[] }>('GET', '/events?limit=100')
        return items.some(({ type }) => type === 'transcription.completed')
      },
      { what: 'the simulated transcription is done', timeoutMs: LATER_MS },
    )
    await request('POST', `/rooms/${id}/close`, {})
    const texts = [SIMULATED.externalId, SIMULATED.name, ...(await idsOf(SIMULATED))]
    const before = await find(texts)
    expect(texts.filter((text) => !before.some((place) => place.endsWith(`: ${text}`)))).toEqual([])
    await passTime()
    await erase(SIMULATED, 'delete', request)
    expect(await find(texts)).toEqual([])
  })
})
