import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operatorOf } from '../../testing/board.ts'
import { useConnectionTests } from '../../testing/connection-tests.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { addRecordedRoom } from '../../testing/recordings.ts'
import { toAnswer } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const connectionTests = useConnectionTests(plane)

/** As SQL Server and Swift print them. */
const upper = (id: string) => id.toUpperCase()

async function liveCall(
  method: 'GET' | 'POST',
  path: string,
  { bearer, payload }: { bearer: string; payload?: object },
) {
  const headers = { authorization: `Bearer ${bearer}` }
  const url = `/api/v1${path}`
  return toAnswer(
    await plane.app.inject({ method, url, headers, ...(payload !== undefined && { payload }) }),
  )
}

describe('an id in upper case', () => {
  test('of a room and a participant: the banned person is disconnected', async () => {
    const { id: roomId } = await plane.book()
    const { participantId } = await live.enter(roomId, 'panelist')
    plane.media.connect(roomId, participantId)
    const path = `/rooms/${upper(roomId)}/participants/${upper(participantId)}/ban`
    const answer = await plane.tenant.post(path, { reason: 'noise' })
    expect([answer.status, answer.data]).toEqual([
      200,
      { participant_id: participantId, status: 'banned' },
    ])
    // The provider is called after the answer.
    await waitFor(() => plane.media.connections.get(roomId)?.length === 0)
  })

  test('of a room: its close stops the recording and deletes the media room', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    const answer = await plane.tenant.post(`/rooms/${upper(roomId)}/close`)
    expect([answer.status, answer.data.id]).toEqual([200, roomId])
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    expect(plane.media.rooms.has(roomId)).toBe(false)
  })

  test('of a room: its link and its token admit, and the ticket is of the same room', async () => {
    const { id: roomId } = await plane.book()
    const token = await live.acting.signToken({
      roomId: upper(roomId),
      iss: upper(plane.tenant.tenantId),
    })
    for (const path of [roomId, upper(roomId)]) {
      const entry = await liveCall('POST', `/rooms/${path}/live/entry`, { bearer: token })
      expect([entry.status, entry.data.room.id]).toEqual([201, roomId])
      const bearer = entry.data.ticket
      for (const place of [roomId, upper(roomId)]) {
        expect((await liveCall('GET', `/rooms/${place}/live/messages`, { bearer })).status).toBe(
          200,
        )
      }
    }
    const [known, ...others] = (await plane.tenant.get(`/rooms/${roomId}/participants`)).data.items
    expect([known.role, others]).toEqual(['panelist', []])
  })

  test('of a message: it repeats the same message', async () => {
    const { id: roomId } = await plane.book()
    const { ticket: bearer } = await live.enter(roomId, 'panelist')
    const id = randomUUID()
    const send = (given: string) =>
      liveCall('POST', `/rooms/${upper(roomId)}/live/messages`, {
        bearer,
        payload: { id: given, visibility: 'public', content_type: 'text', text: 'hello' },
      })
    const answers = [await send(upper(id)), await send(id)]
    expect(answers.map(({ data }) => data.id)).toEqual([id, id])
    expect(
      (await liveCall('GET', `/rooms/${roomId}/live/messages`, { bearer })).data.items,
    ).toHaveLength(1)
  })

  test('of a recording: it is read, and the access log is filtered by it', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const { data } = await plane.tenant.get(`/recordings/${upper(recordingId)}`)
    expect(data.id).toBe(recordingId)
    await plane.tenant.get(`/recordings/${upper(recordingId)}/download-url`)
    const log = await plane.tenant.get(`/access-log?recording_id=${upper(recordingId)}`)
    expect(log.data.items).toMatchObject([{ recording_id: recordingId }])
  })

  test('of a room: a request that is repeated in lower case is the same request', async () => {
    const { id: roomId } = await plane.book()
    const { participantId } = await live.enter(roomId, 'panelist')
    const headers = { 'idempotency-key': randomUUID() }
    const ban = (room: string) =>
      plane.tenant.post(
        `/rooms/${room}/participants/${participantId}/ban`,
        { reason: 'r' },
        headers,
      )
    await ban(upper(roomId))
    const repeat = await ban(roomId)
    expect([repeat.status, repeat.headers['idempotent-replayed']]).toEqual([200, 'true'])
  })

  test('of a room, on the board: the entry token admits to it', async () => {
    const { id: roomId } = await plane.book()
    const operator = await operatorOf(plane)
    const { data } = await operator.post(`/rooms/${upper(roomId)}/pass`)
    const [link, token = ''] = data.connect_url.split('#token=')
    expect(link).toBe(`${plane.deps.config.publicUrl}/r/${roomId}`)
    expect((await liveCall('POST', `/rooms/${roomId}/live/entry`, { bearer: token })).status).toBe(
      201,
    )
  })

  test('of a connection test: its page takes it', async () => {
    const started = await connectionTests.start()
    const answer = await connectionTests.report({ ...started, id: upper(started.id) }, 'connected')
    expect(answer.status).toBe(200)
    expect((await connectionTests.read(started)).status).toBe('running')
  })
})
