import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { BrowserClient } from './harness/browser-client.ts'
import { test } from './harness/fixtures.ts'
import { signToken } from './harness/tokens.ts'

interface Refusal {
  name: string
  reason: string
  status: number | undefined
  message: string
}

/** Connects and answers how it was refused. */
async function refusal(client: BrowserClient, url: string, token: string): Promise<Refusal> {
  return client.run(
    async ({ livekit, join }, entry) => {
      const outcome: unknown = await join(entry).then(
        () => new Error('was let in'),
        (error: unknown) => error,
      )
      if (!(outcome instanceof livekit.ConnectionError)) {
        return { name: String(outcome), reason: '', status: undefined, message: '' }
      }
      const { name, status, message } = outcome
      // Not `reasonName`: the client copies the reason into an error of another name.
      return {
        name,
        status,
        message,
        reason: String(livekit.ConnectionErrorReason[outcome.reason]),
      }
    },
    { url, token },
  )
}

describe('connecting with livekit-client', () => {
  test('succeeds with the default options', async ({ join, api, room }) => {
    const alice = await join('alice', { options: { singlePeerConnection: true }, name: 'Alice' })

    expect(await alice.run(({ room }) => room.state)).toBe('connected')
    const participant = await api.getParticipant(room, 'alice')
    expect(participant).toMatchObject({ sid: await alice.sid(), name: 'Alice' })
  })

  test('succeeds with two peer connections', async ({ join, room }) => {
    const alice = await join('alice')

    expect(await alice.run(({ room }) => [room.state, room.name])).toEqual(['connected', room])
  })

  test('succeeds after prepareConnection', async ({ open, stage, token }) => {
    const alice = await open()

    await alice.run(
      async ({ room, join }, entry) => {
        await room.prepareConnection(entry.url, entry.token)
        await join(entry)
      },
      { url: stage.url, token: await token('alice') },
    )
    expect(await alice.run(({ room }) => room.state)).toBe('connected')
  })

  test('names the server, its room and its participants', async ({ join, room }) => {
    await join('alice', { name: 'Alice', metadata: '{"role":"panelist"}' })
    const bob = await join('bob')

    const known = await bob.run(({ room }) => ({
      version: room.serverInfo?.version,
      room: room.name,
      others: [...room.remoteParticipants.values()].map(({ identity, name, metadata }) => ({
        identity,
        name,
        metadata,
      })),
    }))
    expect(known.version).toMatch(/^1\./)
    expect(known.room).toBe(room)
    expect(known.others).toEqual([
      { identity: 'alice', name: 'Alice', metadata: '{"role":"panelist"}' },
    ])
  })
})

describe('connecting is refused', () => {
  test('with a token signed by another secret', async ({ open, stage, room }) => {
    const forged = { apiKey: stage.apiKey, apiSecret: 'another-secret-of-at-least-32-characters' }
    const token = await signToken(forged, { room, identity: 'alice' })

    expect(await refusal(await open(), stage.url, token)).toMatchObject({
      reason: 'NotAllowed',
      status: 401,
    })
  })

  test('with an expired token', async ({ open, stage, token }) => {
    const expired = await token('alice', { ttlSec: -300 })

    expect(await refusal(await open(), stage.url, expired)).toMatchObject({
      reason: 'NotAllowed',
      status: 401,
    })
  })

  test('with a token that may not join', async ({ open, stage, token }) => {
    const guest = await token('alice', { grant: { roomJoin: false } })

    expect(await refusal(await open(), stage.url, guest)).toMatchObject({
      reason: 'NotAllowed',
      status: 401,
    })
  })

  test('with a token of an absent room, when joining creates no rooms', async ({
    open,
    stage,
    skip,
  }) => {
    skip(stage.hasAutoCreate, 'the server makes rooms by joining (room.auto_create)')
    const token = await signToken(stage, { room: `absent-${randomUUID()}`, identity: 'alice' })

    expect(await refusal(await open(), stage.url, token)).toMatchObject({
      reason: 'NotAllowed',
      status: 404,
      message: expect.stringContaining('requested room does not exist'),
    })
  })
})

test("a token opens the room it names and shows nothing of another room's people", async ({
  join,
  stage,
  room,
  api,
}) => {
  await join('alice')
  const other = `acceptance-${randomUUID()}`
  await api.createRoom({ name: other })
  const bob = await join('bob', { token: await signToken(stage, { room: other, identity: 'bob' }) })

  expect(await bob.run(({ room }) => [room.name, room.remoteParticipants.size])).toEqual([other, 0])
  expect((await api.listParticipants(room)).map(({ identity }) => identity)).toEqual(['alice'])
  await api.deleteRoom(other)
})
