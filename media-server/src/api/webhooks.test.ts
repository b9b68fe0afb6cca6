import { WebhookReceiver } from 'livekit-server-sdk'
import { describe, expect, test } from 'vitest'
import { silentLog } from '../lib/log.ts'
import { WebhookSender } from './webhooks.ts'

const target = { urls: ['http://receiver.test/hook'], apiKey: 'key', secret: 'secret' }
const WAIT_MS = 10_000

/** A receiver that gives the statuses in turn, then 200; time passes only in sleeps. */
function receiver(statuses: (number | Error)[]) {
  const posts: { event: string; body: string; authorization: string; atMs: number }[] = []
  const state = { nowMs: 1_700_000_000_000, clockSetByMs: 0 }
  const start = state.nowMs
  const sender = new WebhookSender(target, silentLog, {
    now: () => state.nowMs + state.clockSetByMs,
    steadyNow: () => state.nowMs,
    async sleep(ms) {
      state.nowMs += ms
    },
    async post(_url, body, authorization) {
      const { event } = JSON.parse(body) as { event: string }
      posts.push({ event, body, authorization, atMs: state.nowMs - start })
      const status = statuses.shift() ?? 200
      if (status instanceof Error) throw status
      return status
    },
  })
  return { sender, posts, state }
}

describe('a webhook', () => {
  test('is signed over the bytes that are sent', async () => {
    const { sender, posts } = receiver([])
    sender.send('room', { event: 'room_started' })
    await sender.drain(WAIT_MS)

    const verifier = new WebhookReceiver(target.apiKey, target.secret)
    const { body, authorization } = posts[0] ?? { body: '', authorization: '' }
    expect(await verifier.receive(body, authorization)).toMatchObject({ event: 'room_started' })
    await expect(verifier.receive(`${body} `, authorization)).rejects.toThrow('checksum')
  })

  test('omits defaults and writes 64-bit numbers as strings', async () => {
    const { sender, posts } = receiver([])
    sender.send('room', { event: 'room_started' })
    await sender.drain(WAIT_MS)

    const body: unknown = JSON.parse(posts[0]?.body ?? '')
    expect(body).toEqual({
      event: 'room_started',
      id: expect.stringMatching(/^EV_/),
      createdAt: '1700000000',
    })
  })

  test.each([500, 503, 429, new Error('refused')])(
    'answered with %s is sent again after 1, 2, 4 and 8 seconds, always the same',
    async (failure) => {
      const { sender, posts } = receiver([failure, failure, failure, failure])
      sender.send('room', { event: 'room_started' })
      await sender.drain(WAIT_MS)

      expect(posts.map(({ atMs }) => atMs)).toEqual([0, 1000, 3000, 7000, 15_000])
      expect(new Set(posts.map(({ body }) => body)).size).toBe(1)
      expect(new Set(posts.map(({ authorization }) => authorization)).size).toBe(1)
    },
  )

  test.each([400, 401, 404, 501])('answered with %i is not sent again', async (status) => {
    const { sender, posts } = receiver([status])
    sender.send('room', { event: 'room_started' })
    await sender.drain(WAIT_MS)
    expect(posts).toHaveLength(1)
  })

  test('is given up after five tries', async () => {
    const { sender, posts } = receiver(Array.from({ length: 9 }, () => 500))
    sender.send('room', { event: 'room_started' })
    await sender.drain(WAIT_MS)
    expect(posts).toHaveLength(5)
  })
})

describe('the queue of a room', () => {
  test('keeps the order after a failing event', async () => {
    const { sender, posts } = receiver([500])
    sender.send('room', { event: 'room_started' })
    sender.send('room', { event: 'participant_joined' })
    await sender.drain(WAIT_MS)
    expect(posts.map(({ event }) => event)).toEqual([
      'room_started',
      'room_started',
      'participant_joined',
    ])
  })

  test('drops what waited for more than thirty seconds', async () => {
    const { sender, posts } = receiver(Array.from({ length: 15 }, () => 500))
    for (const event of ['first', 'second', 'third', 'fourth']) sender.send('room', { event })
    await sender.drain(WAIT_MS)
    expect(new Set(posts.map(({ event }) => event))).toEqual(new Set(['first', 'second', 'third']))
  })

  test('keeps what waits when the system clock is set', async () => {
    const { sender, posts, state } = receiver([])
    sender.send('room', { event: 'first' })
    sender.send('room', { event: 'second' })
    state.clockSetByMs = 60 * 60_000
    await sender.drain(WAIT_MS)
    expect(posts.map(({ event }) => event)).toEqual(['first', 'second'])
  })

  test('takes at most two hundred waiting events', async () => {
    const { sender, posts } = receiver([])
    for (let i = 0; i < 250; i++) sender.send('room', { event: `event ${i}` })
    await sender.drain(WAIT_MS)
    expect(posts).toHaveLength(201)
  })
})
