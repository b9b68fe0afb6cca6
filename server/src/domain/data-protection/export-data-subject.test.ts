import { randomUUID } from 'node:crypto'
import type { ExportedRoomBody } from '@interview-room/contract/data-protection.ts'
import { EXPORT_ROOMS_MAX } from '@interview-room/contract/limits.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { ERASED, holdInterview, STAYING, type WholeRoom } from '../../testing/erased-person.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
let interview: WholeRoom

beforeAll(async () => {
  interview = await holdInterview({ plane, live, rooms })
})

const referenceTo = (externalId: string) => ({ external_type: 'User', external_id: externalId })
const send = (body: object, tenant = plane.tenant) => tenant.post('/data-subjects/exports', body)

async function exportOf(externalId: string): Promise<ExportedRoomBody[]> {
  const { status, data } = await send(referenceTo(externalId))
  expect(status).toBe(200)
  expect(data).toMatchObject({ has_more: false, next_cursor: null })
  return data.items
}

describe('the export of a person', () => {
  // contract: exportDataSubject › 200, list envelope of rooms, by `external_type` and `external_id`: each has
  //   `room_id`, `participants`, `entries`, `admissions`, `chat_messages`, `room_events`, `recording_ids` and
  //   `connection_test` of this person; `live_texts` with `identity`, `segment`, `language` and `is_translation`
  test('contains everything about them, from each room and their connection test', async () => {
    const exported = await exportOf(ERASED.externalId)
    expect(exported.map(({ room_id: id }) => id)).toEqual(
      exported.map(({ room_id: id }) => id).toSorted(),
    )
    const [interviewed, observed] = [interview.roomId, interview.observedRoomId].map((roomId) =>
      exported.find(({ room_id: id }) => id === roomId),
    )
    const tested = exported.find(({ connection_test: taken }) => taken !== null)
    expect(exported).toHaveLength(4)
    expect(interviewed).toMatchObject({
      participants: [{ role: 'panelist', display_name: ERASED.name }],
      entries: [{ name: ERASED.name }],
      admissions: [{ role: 'panelist', display_name: ERASED.name }],
      chat_messages: [
        { text: `I like ${ERASED.word}`, attachment: null },
        { attachment: { name: `${ERASED.word}.pdf` } },
      ],
      live_texts: [{ text: `I said ${ERASED.word}`, display_name: ERASED.name }],
      recording_ids: [interview.recordingId],
      connection_test: null,
    })
    const types = interviewed?.room_events.map(({ event_type: type }) => type)
    for (const type of [
      'consent.given',
      'hand.raised',
      'interview.rated',
      'spotlight.started',
      'participant.banned',
    ]) {
      expect(types, type).toContain(type)
    }
    expect(observed?.room_events.map(({ event_type: type }) => type)).toEqual(
      expect.arrayContaining(['question.added', 'question.changed', 'marker']),
    )
    expect(tested).toMatchObject({
      participants: [],
      connection_test: { id: interview.connectionTestId, name: ERASED.name, status: 'completed' },
    })
  })

  // contract: exportDataSubject › A participant has `id`, `role`, `display_name`, `status`, `banned_at` and
  //   `created_at`; an entry has `participant_id`, `name`, `browser_name`, `browser_version`, `platform_name`,
  //   `platform_version`, `ip_address`, `entered_at`, `left_at` and `duration_sec`; a message has `visibility`,
  //   `sender_name`, `content_type`, `text` and `attachment` with `url`, `mime` and `size`; an event has
  //   `event_type` and `payload`, as in the lists of the room
  // contract: exportDataSubject › A connection test has `connect_url`, `expires_at`, `started_at`,
  //   `completed_at`, `measured_sec`, `client`, `is_mobile`, `devices`, `camera`, `microphone`, `speaker`,
  //   `baseline`, `signaling`, `connected`, `connect_ms`, `media`, `protocol`, `candidate_type`, `rtt_ms`, `avg`,
  //   `max`, `jitter_ms`, `load`, `uplink`, `audio`, `bitrate_kbps`, `packet_loss_ratio`, `frame_rate`, `width`,
  //   `height`, `freeze_count`, `limited_by_cpu_sec`, `limited_by_bandwidth_sec`, `video`, `downlink`,
  //   `downlink_tcp`, `available_outgoing_kbps`, `summary`, `mos`, `recommended_resolution`,
  //   `recommended_frame_rate`, `limitation`, `uplink_kbps`, `downlink_kbps`, `warnings`, `failure_reason`,
  //   `provider_inspector_url` and `recordings`, as `GET /connection-tests/{connection_test_id}` has them
  test('has the same content as the operations that read each resource', async () => {
    const exported = await exportOf(ERASED.externalId)
    for (const room of exported.filter(({ connection_test: taken }) => taken === null)) {
      const read = async (list: string) =>
        (await plane.tenant.get(`/rooms/${room.room_id}/${list}?limit=100`)).data.items
      const participants = (await read('participants')).filter(
        (each: { external_id: string }) => each.external_id === ERASED.externalId,
      )
      const isTheirs = (each: { participant_id: string }) =>
        participants.some(({ id }: { id: string }) => id === each.participant_id)
      expect(room.participants).toEqual(participants)
      expect(room.entries).toEqual((await read('entry-histories')).filter(isTheirs))
      const messages = (await read('chat-messages')).filter(isTheirs)
      expect(room.chat_messages).toMatchObject(messages.map(({ id }: { id: string }) => ({ id })))
      expect(Object.keys(room.chat_messages[0] ?? {})).toEqual(Object.keys(messages[0] ?? {}))
      const events = await read('room-events')
      expect(events).toEqual(expect.arrayContaining(room.room_events))
    }
    const taken = exported.find(({ connection_test: test }) => test !== null)
    const { data } = await plane.tenant.get(`/connection-tests/${interview.connectionTestId}`)
    expect(taken?.connection_test).toEqual(data)
  })

  // contract: exportDataSubject › An admission has `role`, `display_name`, `token_id`, `ip_address`,
  //   `admitted_at` and the device
  test('has the admissions, which no other operation shows', async () => {
    const { data } = await send(referenceTo(ERASED.externalId))
    const [admission] = data.items.flatMap((room: ExportedRoomBody) => room.admissions)
    expect(Object.keys(admission).toSorted()).toEqual([
      'admitted_at',
      'browser_name',
      'browser_version',
      'display_name',
      'ip_address',
      'platform_name',
      'platform_version',
      'role',
      'token_id',
    ])
    expect(new Date(admission.admitted_at).getTime()).toBeGreaterThan(Date.parse('2020-01-01'))
  })

  test('has the files that they sent', async () => {
    const exported = await exportOf(ERASED.externalId)
    const [file] = exported.flatMap(({ chat_messages: messages }) =>
      messages.flatMap(({ attachment }) => attachment ?? []),
    )
    expect(file?.url).toMatch(/^https?:/)
  })

  test('has no content that others wrote', async () => {
    const theirs = JSON.stringify(await exportOf(ERASED.externalId))
    expect(theirs).not.toContain(STAYING.word)
    expect(theirs).not.toContain(STAYING.externalId)
    const others = JSON.stringify(await exportOf(STAYING.externalId))
    expect(others).toContain(STAYING.word)
    expect(others).not.toContain(ERASED.externalId)
  })

  // contract: exportDataSubject › `limit` is 1 to `EXPORT_ROOMS_MAX` rooms; `next_cursor` is the `cursor` of
  //   the next page, and 400 INVALID_REQUEST elsewhere
  test('comes in pages of rooms, each with a cursor that is valid only for this export', async () => {
    const reference = referenceTo(ERASED.externalId)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { data } = await send({ ...reference, limit: 1, ...(cursor !== null && { cursor }) })
      expect(data.items).toHaveLength(1)
      seen.push(data.items[0].room_id)
      expect(data.has_more).toBe(data.next_cursor !== null)
      cursor = data.next_cursor
    } while (cursor !== null)
    const exported = await exportOf(ERASED.externalId)
    expect(seen).toEqual(exported.map(({ room_id: id }) => id))

    const { data: first } = await send({ ...reference, limit: 1 })
    const foreign = await send({ ...referenceTo(STAYING.externalId), cursor: first.next_cursor })
    expect([foreign.status, foreign.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  test('is empty for an unknown person, and for the same reference of another tenant', async () => {
    expect(await exportOf(randomUUID())).toEqual([])
    const { data } = await send(referenceTo(ERASED.externalId), plane.other)
    expect(data.items).toEqual([])
  })

  test.each([
    [{ external_type: 'User' }, ['external_id', 'REQUIRED']],
    [{ ...referenceTo('1'), limit: EXPORT_ROOMS_MAX + 1 }, ['limit', 'OUT_OF_RANGE']],
    [{ ...referenceTo('1'), recordings: 'keep' }, ['recordings', 'UNKNOWN_FIELD']],
  ])('is refused: %j', async (body, detail) => {
    const { status, code, details } = await send(body)
    expect([status, code]).toEqual([400, 'INVALID_REQUEST'])
    expect(details).toContainEqual(detail)
  })
})
