import { createHash } from 'node:crypto'
import { WebhookReceiver } from 'livekit-server-sdk'
import { describe, expect } from 'vitest'
import { test } from './harness/webhook-fixtures.ts'

describe('a webhook', () => {
  test('is a signed POST that livekit-server-sdk accepts, and refuses when it was altered', async ({
    stage,
    room,
    delivered,
  }) => {
    const [delivery] = await delivered(room, ['room_started'])
    const { headers, body } = delivery!
    const receiver = new WebhookReceiver(stage.apiKey, stage.apiSecret)

    expect(headers['content-type']).toBe('application/webhook+json')
    expect(headers['authorization']).not.toMatch(/^Bearer/)
    const event = await receiver.receive(body, headers['authorization'])
    expect(event).toMatchObject({ event: 'room_started', room: { name: room } })

    const altered = body.replace('room_started', 'room_finished')
    await expect(receiver.receive(altered, headers['authorization'])).rejects.toThrow(
      'sha256 checksum of body does not match',
    )
  })

  test('is signed over the exact bytes, by the API key, for five minutes', async ({
    stage,
    room,
    delivered,
  }) => {
    const [delivery] = await delivered(room, ['room_started'])
    const { headers, body, receivedAtMs } = delivery!
    const [, payload = ''] = headers['authorization']?.split('.') ?? []
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
      string,
      unknown
    >

    expect(claims['sha256']).toBe(createHash('sha256').update(body).digest('base64'))
    expect(claims['iss']).toBe(stage.apiKey)
    const lifeSec = Number(claims['exp']) - receivedAtMs / 1000
    expect(lifeSec).toBeGreaterThan(240)
    expect(lifeSec).toBeLessThanOrEqual(301)
  })

  test('has camelCase names, 64-bit numbers as text, enumerations by name and no defaults', async ({
    room,
    join,
    delivered,
  }) => {
    const alice = await join('alice', { name: 'Alice', metadata: '{"role":"panelist"}' })
    const sid = await alice.sid()
    const [started, joined] = await delivered(room, ['room_started', 'participant_joined'])

    const start = JSON.parse(started!.body) as Record<string, Record<string, unknown>>
    expect(start).toMatchObject({
      event: 'room_started',
      id: expect.stringMatching(/^EV_/),
      createdAt: expect.stringMatching(/^\d{10}$/),
      room: {
        sid: expect.stringMatching(/^RM_/),
        name: room,
        emptyTimeout: 300,
        departureTimeout: 60,
        creationTime: expect.stringMatching(/^\d{10}$/),
        creationTimeMs: expect.stringMatching(/^\d{13}$/),
      },
    })
    expect(Object.keys(start)).not.toContain('participant')
    expect(Object.keys(start['room'] ?? {})).not.toContain('numParticipants')

    const entered = JSON.parse(joined!.body) as Record<string, Record<string, unknown>>
    expect(entered).toMatchObject({
      event: 'participant_joined',
      room: { name: room },
      participant: {
        sid,
        identity: 'alice',
        name: 'Alice',
        metadata: '{"role":"panelist"}',
        state: 'ACTIVE',
        joinedAt: expect.stringMatching(/^\d{10}$/),
        joinedAtMs: expect.stringMatching(/^\d{13}$/),
        permission: { canSubscribe: true, canPublish: true, canPublishData: true },
      },
    })
    // Defaults are left out: an ordinary person's kind, tracks that are not there.
    expect(Object.keys(entered['participant'] ?? {})).not.toContain('kind')
    expect(Object.keys(entered['participant'] ?? {})).not.toContain('tracks')
  })

  test('distinguishes a hidden person of the kind agent from agents', async ({
    room,
    join,
    delivered,
  }) => {
    const grant = { hidden: true, canPublish: false }
    const observer = await join('observer', { kind: 'agent', grant })
    await delivered(room, ['participant_joined'])
    await observer.run(({ room }) => room.disconnect())

    const received = await delivered(room, ['participant_joined', 'participant_left'])
    for (const { body } of received) {
      const { participant } = JSON.parse(body) as { participant: Record<string, unknown> }
      expect(participant).toMatchObject({ kind: 'AGENT', permission: { hidden: true } })
      expect(participant['permission']).not.toHaveProperty('agent')
    }
  })
})

describe('the webhooks of a room', () => {
  test('arrive in the order of its events', async ({ room, api, join, delivered }) => {
    const alice = await join('alice')
    await alice.run(({ room }) => room.localParticipant.setMicrophoneEnabled(true))
    await delivered(room, ['track_published'])
    await alice.run(async ({ room, local }) => {
      const { track } = local('microphone')
      if (track !== undefined) await room.localParticipant.unpublishTrack(track)
    })
    await delivered(room, ['track_unpublished'])
    await alice.run(({ room }) => room.disconnect())
    await delivered(room, ['participant_left'])
    await api.deleteRoom(room)

    const story = await delivered(room, ['room_finished'], 'all')
    expect(story.map(({ event }) => event)).toEqual([
      'room_started',
      'participant_joined',
      'track_published',
      'track_unpublished',
      'participant_left',
      'room_finished',
    ])
    const published = JSON.parse(story[2]!.body) as Record<string, Record<string, unknown>>
    expect(published['participant']).toEqual({ sid: expect.any(String), identity: 'alice' })
    expect(published['room']).toMatchObject({ name: room, sid: expect.stringMatching(/^RM_/) })
    expect(published['track']).toMatchObject({
      sid: expect.stringMatching(/^TR_/),
      source: 'MICROPHONE',
      mimeType: expect.stringMatching(/^audio\/(opus|red)$/),
    })
    const left = JSON.parse(story[4]!.body) as Record<string, Record<string, unknown>>
    expect(left['participant']).toMatchObject({
      identity: 'alice',
      state: 'DISCONNECTED',
      disconnectReason: 'CLIENT_INITIATED',
    })
  })

  test('name the reason why somebody was removed, and both connections of one identity', async ({
    room,
    api,
    join,
    delivered,
  }) => {
    const first = await join('alice')
    const firstSid = await first.sid()
    const second = await join('alice')
    const secondSid = await second.sid()
    await delivered(room, ['participant_joined', 'participant_joined', 'participant_left'])
    await api.removeParticipant(room, 'alice')

    const story = await delivered(room, ['participant_left', 'participant_left'], 'all')
    const left = story
      .filter(({ event }) => event === 'participant_left')
      .map(({ body }) => (JSON.parse(body) as { participant: Record<string, string> }).participant)
    expect(left).toMatchObject([
      { sid: firstSid, disconnectReason: 'DUPLICATE_IDENTITY' },
      { sid: secondSid, disconnectReason: 'PARTICIPANT_REMOVED' },
    ])
  })

  test('show a hidden participant too', async ({ room, join, delivered }) => {
    await join('observer', { grant: { hidden: true, canPublish: false } })

    const [joined] = await delivered(room, ['participant_joined'])
    expect(JSON.parse(joined!.body)).toMatchObject({
      participant: { identity: 'observer', permission: { hidden: true } },
    })
  })

  test('do not report a client that reconnects its signalling', async ({
    room,
    api,
    join,
    delivered,
  }) => {
    const alice = await join('alice')
    await delivered(room, ['participant_joined'])
    await alice.run(({ room }) => room.simulateScenario('signal-reconnect'))
    await alice.sees('reconnected')
    await api.deleteRoom(room)

    const story = await delivered(room, ['room_finished'], 'all')
    expect(story.map(({ event }) => event)).toEqual([
      'room_started',
      'participant_joined',
      'participant_left',
      'room_finished',
    ])
  })
})

describe('a webhook that is not accepted', () => {
  test('with 500 is sent again, the same bytes, after one and two seconds, before the next', async ({
    api,
    refusingRoom,
    delivered,
  }) => {
    const room = await refusingRoom('answer-500-500')
    await api.deleteRoom(room)

    const tries = await delivered(room, ['room_finished'], 'all')
    expect(tries.map(({ event, answered }) => `${event} ${answered}`)).toEqual([
      'room_started 500',
      'room_started 500',
      'room_started 200',
      'room_finished 200',
    ])
    const [first, second, third] = tries
    expect(new Set([first?.body, second?.body, third?.body]).size).toBe(1)
    expect(new Set([first, second, third].map((one) => one?.headers['authorization'])).size).toBe(1)
    expect(second!.receivedAtMs - first!.receivedAtMs).toBeGreaterThanOrEqual(950)
    expect(third!.receivedAtMs - second!.receivedAtMs).toBeGreaterThanOrEqual(1_950)
  })

  test('with 401 is not sent again', async ({ api, refusingRoom, delivered }) => {
    const room = await refusingRoom('answer-401')
    await api.deleteRoom(room)

    const tries = await delivered(room, ['room_finished'], 'all')
    expect(tries.map(({ event, answered }) => `${event} ${answered}`)).toEqual([
      'room_started 401',
      'room_finished 200',
    ])
  })
})
