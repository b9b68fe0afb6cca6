import { randomUUID } from 'node:crypto'
import { DataPacket_Kind, RoomServiceClient } from 'livekit-server-sdk'
import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'
import { deleteRoomIfOpen } from './harness/rooms.ts'

describe('livekit-server-sdk', () => {
  test('creates a room; a repeat returns the same one, with its first settings', async ({
    api,
    onTestFinished,
  }) => {
    const name = `acceptance-${randomUUID()}`
    onTestFinished(() => deleteRoomIfOpen(api, name))

    const first = await api.createRoom({
      name,
      emptyTimeout: 120,
      departureTimeout: 90,
      maxParticipants: 7,
      metadata: '{"slot":1}',
    })
    expect(first).toMatchObject({
      name,
      emptyTimeout: 120,
      departureTimeout: 90,
      maxParticipants: 7,
      metadata: '{"slot":1}',
      numParticipants: 0,
    })
    expect(first.sid).toMatch(/^RM_/)
    expect(Number(first.creationTime)).toBeGreaterThan(Date.now() / 1000 - 60)

    const second = await api.createRoom({ name, emptyTimeout: 240, metadata: '{"slot":2}' })
    expect(second).toMatchObject({ sid: first.sid, emptyTimeout: 120, metadata: '{"slot":1}' })
  })

  test('lists the requested rooms', async ({ api, room }) => {
    const named = await api.listRooms([room, `absent-${randomUUID()}`])
    expect(named.map(({ name }) => name)).toEqual([room])

    const all = await api.listRooms()
    expect(all.map(({ name }) => name)).toContain(room)
  })

  test('lists and shows participants with their permissions', async ({ api, room, join }) => {
    const alice = await join('alice', { metadata: '{"role":"panelist"}' })
    const sid = await alice.sid()

    expect(await api.listParticipants(room)).toMatchObject([
      {
        sid,
        identity: 'alice',
        metadata: '{"role":"panelist"}',
        state: 2, // ACTIVE
        kind: 0, // STANDARD
        permission: { canPublish: true, canSubscribe: true, canPublishData: true, hidden: false },
      },
    ])
    expect(await api.getParticipant(room, 'alice')).toMatchObject({ sid })
  })

  test('is refused operations that its token does not grant', async ({ stage, room, token }) => {
    const response = await fetch(`${stage.url}/twirp/livekit.RoomService/DeleteRoom`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await token('alice')}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ room }),
      signal: AbortSignal.timeout(10_000),
    })

    expect(response.status).toBe(401)
    // Exactly this, or the library does not read the code.
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({ code: 'unauthenticated' })
  })

  test('deletes a room, which then is absent', async ({ api, room }) => {
    await api.deleteRoom(room)

    expect(await api.listRooms([room])).toEqual([])
    await expect(api.deleteRoom(room)).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})

const bytes = new TextEncoder().encode('x')
const CALLS: readonly [
  name: string,
  call: (api: RoomServiceClient, room: string) => Promise<unknown>,
][] = [
  ['listParticipants', (api, room) => api.listParticipants(room)],
  ['getParticipant', (api, room) => api.getParticipant(room, 'nobody')],
  ['updateParticipant', (api, room) => api.updateParticipant(room, 'nobody', { name: 'x' })],
  ['mutePublishedTrack', (api, room) => api.mutePublishedTrack(room, 'nobody', 'TR_x', true)],
  ['removeParticipant', (api, room) => api.removeParticipant(room, 'nobody')],
  ['updateSubscriptions', (api, room) => api.updateSubscriptions(room, 'nobody', ['TR_x'], true)],
  ['sendData', (api, room) => api.sendData(room, bytes, DataPacket_Kind.RELIABLE, {})],
  ['updateRoomMetadata', (api, room) => api.updateRoomMetadata(room, 'x')],
  ['deleteRoom', (api, room) => api.deleteRoom(room)],
]

function forgedApi(url: string, apiKey: string): RoomServiceClient {
  return new RoomServiceClient(url, apiKey, 'another-secret-of-at-least-32-characters')
}

describe('with the key of somebody else', () => {
  const REFUSED = { status: 401 }

  for (const [name, call] of [
    ...CALLS,
    ['createRoom', (api, room) => api.createRoom({ name: room })],
    ['listRooms', (api) => api.listRooms()],
  ] satisfies typeof CALLS) {
    test(`${name} answers 401`, async ({ stage, room }) => {
      await expect(call(forgedApi(stage.url, stage.apiKey), room)).rejects.toMatchObject(REFUSED)
    })
  }

  test('an unknown key answers 401', async ({ stage, room }) => {
    const api = forgedApi(stage.url, 'nobody')
    await expect(api.listParticipants(room)).rejects.toMatchObject(REFUSED)
  })
})

const NOT_FOUND = { status: 404, code: 'not_found' }
/** A server of several nodes asks the others first, and reports that none answered. */
const NOBODY_ANSWERED = { status: 503, code: 'unavailable' }

/** Passed on to the node of the room or participant, without looking it up before. */
const PASSED_ON = ['mutePublishedTrack', 'updateSubscriptions', 'sendData']

describe('of an absent room', () => {
  test('listParticipants answers an empty list', async ({ api }) => {
    expect(await api.listParticipants(`absent-${randomUUID()}`)).toEqual([])
  })

  for (const [name, call] of CALLS.filter(([name]) => name !== 'listParticipants')) {
    test(`${name} answers that there is none`, async ({ api }) => {
      await expectAbsent(name, call(api, `absent-${randomUUID()}`))
    })
  }
})

describe('of an absent participant', () => {
  for (const [name, call] of CALLS.filter(([name]) => /(Participant|Track)$/.test(name))) {
    test(`${name} answers that there is none`, async ({ api, room }) => {
      await expectAbsent(name, call(api, room))
    })
  }
})

async function expectAbsent(name: string, answer: Promise<unknown>): Promise<void> {
  const error = await answer.then(
    () => 'no refusal',
    ({ status, code }: { status: number; code: string }) => ({ status, code }),
  )
  expect(PASSED_ON.includes(name) ? [NOT_FOUND, NOBODY_ANSWERED] : [NOT_FOUND]).toContainEqual(
    error,
  )
}
