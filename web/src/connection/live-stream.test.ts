import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { backoffMs } from '../live/backoff.ts'
import type { LiveEvent } from '../live/store.ts'
import { LiveStream, type LiveStreamOptions } from './live-stream.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

// A busy machine may be slow. No test here takes this long otherwise.
vi.setConfig({ testTimeout: 30_000 })
const WAIT = { timeout: 60_000, interval: 20 }
let server: Server | undefined
let stream: LiveStream | undefined

afterEach(() => {
  stream?.close()
  server?.closeAllConnections()
  server?.close()
})

/**
 * A service that answers the streams in the order of the list. The last answer repeats. `changes` answers the plain requests, which
 * it refuses by default.
 */
async function serve(answers: readonly Answer[], changes: Answer = refuseReads) {
  const seen: IncomingMessage[] = []
  const started = createServer((request, response) => {
    if (request.url?.startsWith('/changes') === true) return changes(request, response)
    seen.push(request)
    answers[Math.min(seen.length, answers.length) - 1]?.(request, response)
  })
  server = started
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  const { port } = started.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, seen }
}

function read(url: string, over: Partial<LiveStreamOptions> = {}) {
  const events: LiveEvent[] = []
  const states: string[] = []
  const ended: string[] = []
  stream = new LiveStream({
    base: url,
    takePlace: async () => () => {},
    ticket: () => 'ticket',
    random: () => 0,
    on: {
      event: (each) => events.push(each),
      state: (state) => states.push(state),
      ended: ({ page }) => ended.push(page),
    },
    ...over,
  })
  return { events, states, ended, run: stream.run() }
}

function open(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(': open\n\n')
}

const event = (id: string, text: string) =>
  `event: messages_purged\nid: ${id}\ndata: ${JSON.stringify({ visibility: text })}\n\n`
/** A captive portal answers everything with a page of its own. */
const portal: Answer = (_, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
const refuseReads: Answer = (_, response) => response.writeHead(503).end()
const refuse = (status: number, code: string) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ success: false, error: { code, message: '' } }))
}
const wordsOf = (events: readonly LiveEvent[]) =>
  events.map((each) => (each.name === 'messages_purged' ? each.data.visibility : each.name))

/** Answers the plain requests with one of these events each, then with none. */
const changes = (...events: readonly [cursor: string, visibility: string][]): Answer => {
  const asked: string[] = []
  return (request, response) => {
    const next = events[asked.push(request.url ?? '') - 1]
    const [cursor, visibility] = next ?? [`after ${asked.length}`, undefined]
    const known =
      visibility === undefined ? [] : [{ name: 'messages_purged', data: { visibility } }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ success: true, data: { events: known, cursor } }))
  }
}

describe('the live stream', () => {
  test('is requested with the ticket and resumed from the last complete event', async () => {
    const { url, seen } = await serve([
      (_, response) => {
        open(response)
        // The second event is cut in the middle of a character.
        const cut = Buffer.from(`${event('1', 'public')}event: messages_purged\nid: 2\ndata: "あ`)
        response.write(cut.subarray(0, -1), () => response.destroy())
      },
      (_, response) => {
        open(response)
        response.write(event('2', 'private'))
      },
    ])
    const { events, states } = read(url)
    await vi.waitFor(() => expect(wordsOf(events)).toEqual(['public', 'private']), WAIT)
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer ticket',
      'Bearer ticket',
    ])
    expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1'])
    expect(states).toEqual(['live', 'reconnecting', 'live'])
  })

  test('that falls silent counts as disconnected', async () => {
    const { url, seen } = await serve([(_, response) => open(response)])
    read(url, { silenceMaxMs: 100 })
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(1), WAIT)
  })

  test('is retried while the service is unavailable', async () => {
    const { url } = await serve([
      refuse(503, 'SERVICE_UNAVAILABLE'),
      (_, response) => response.writeHead(502).end('<html>'),
      (_, response) => {
        open(response)
        response.write(event('1', 'public'))
      },
    ])
    const { events, ended } = read(url)
    await vi.waitFor(() => expect(wordsOf(events)).toEqual(['public']), WAIT)
    expect(ended).toEqual([])
  })

  test('reconnects immediately on a new network, whatever pause is left', async () => {
    const { url, seen } = await serve([
      refuse(503, 'SERVICE_UNAVAILABLE'),
      (_, response) => open(response),
    ])
    // The long pause would let it reconnect only after many minutes.
    const { states } = read(url, { random: () => 10_000 })
    await vi.waitFor(() => expect(states).toEqual(['reconnecting']), WAIT)
    await vi.waitFor(() => {
      stream?.refresh({ isNewNetwork: true })
      expect(seen.length).toBeGreaterThan(1)
    }, WAIT)
  })

  test.each([
    ['that was open', open],
    ['that nobody answered', () => {}],
  ] as const)(
    'reconnects immediately from a connection %s when the network changes',
    async (_name, hang) => {
      const { url, seen } = await serve([
        (_, response) => hang(response),
        (_, response) => open(response),
      ])
      // The long pause would let it reconnect only after an hour.
      read(url, { random: () => 10_000 })
      await vi.waitFor(() => expect(seen).toHaveLength(1), WAIT)
      stream?.refresh({ isNewNetwork: true })
      await vi.waitFor(() => expect(seen).toHaveLength(2), { ...WAIT, timeout: 5_000 })
    },
  )

  test('is opened again when the machine wakes up', async () => {
    const { url, seen } = await serve([
      (_, response) => {
        open(response)
        response.write(event('1', 'public'))
      },
    ])
    const { events } = read(url)
    await vi.waitFor(() => expect(wordsOf(events)).toEqual(['public']), WAIT)
    stream?.refresh({ isNewNetwork: false })
    expect(seen).toHaveLength(1)
    const wokeUpMs = Date.now() + 10 * 60_000
    const clock = vi.spyOn(Date, 'now').mockReturnValue(wokeUpMs)
    stream?.refresh({ isNewNetwork: false })
    clock.mockRestore()
    await vi.waitFor(() => expect(seen).toHaveLength(2), WAIT)
  })

  test.each([
    [401, 'UNAUTHORIZED', 'lost'],
    [409, 'PARTICIPANT_BANNED', 'banned'],
    [409, 'SESSION_RELEASED', 'closed'],
    [409, 'ROOM_CLOSED', 'closed'],
    [422, 'OUTSIDE_TIME_WINDOW', 'over'],
  ])('refused with %i %s ends on the page "%s"', async (status, code, page) => {
    const { url, seen } = await serve([refuse(status, code)])
    const { ended, run } = read(url)
    await run
    expect(ended).toEqual([page])
    expect(seen.length).toBe(1)
  })

  test('is requested again if the ticket was renewed meanwhile', async () => {
    let ticket = 'old'
    const { url, seen } = await serve([
      (request, response) => {
        ticket = 'new'
        refuse(401, 'UNAUTHORIZED')(request, response)
      },
      (_, response) => open(response),
    ])
    const { states, ended } = read(url, { ticket: () => ticket })
    await vi.waitFor(() => expect(states).toContain('live'), WAIT)
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
    expect(ended).toEqual([])
  })

  test.each([
    ['closed', { reason: 'room_closed' }, 'closed'],
    ['closed', { reason: 'window_ended' }, 'over'],
    ['removed', { reason: 'banned' }, 'banned'],
    ['removed', { reason: 'opened_elsewhere' }, 'elsewhere'],
  ])('ends with "%s" %j on the page "%s"', async (name, data, page) => {
    const { url, seen } = await serve([
      (_, response) => {
        open(response)
        response.write(`event: ${name}\nid: 1\ndata: ${JSON.stringify(data)}\n\n`)
      },
    ])
    const { ended, run } = read(url)
    await run
    expect(ended).toEqual([page])
    expect(seen.length).toBe(1)
  })

  test.each<[string, Answer]>([
    ['that sends nothing', () => {}],
    ['that sends its head only', (_, response) => response.writeHead(200).flushHeaders()],
    ['that a proxy refuses', (_, response) => response.writeHead(403).end('<html>')],
    ['that a captive portal answers with a page', portal],
    ['that is cut off', (_, response) => response.destroy()],
  ])('%s is replaced by plain requests, which continue each other', async (_name, hold) => {
    const reads: string[] = []
    const answer = changes(['c1', 'public'], ['c2', 'private'])
    const { url, seen } = await serve([hold], (request, response) => {
      reads.push(request.url ?? '')
      answer(request, response)
    })
    const { events, states } = read(url, { firstByteMaxMs: 50, readEveryMs: 5 })
    await vi.waitFor(() => expect(reads.length).toBeGreaterThan(2), WAIT)
    expect(wordsOf(events)).toEqual(['public', 'private'])
    expect(reads.slice(0, 3)).toEqual(['/changes', '/changes?after=c1', '/changes?after=c2'])
    expect(new Set(states)).toEqual(new Set(['live']))
    expect(seen).toHaveLength(1)
  })

  test('is disconnected while a captive portal answers everything with a page', async () => {
    const { url, seen } = await serve([portal], portal)
    const { states } = read(url)
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(2), WAIT)
    expect(new Set(states)).toEqual(new Set(['reconnecting']))
  })

  test('without a place for a stream reads the changes, and asks for the stream again on a new network', async () => {
    const places = [undefined, () => {}]
    const { url, seen } = await serve([(_, response) => open(response)], changes(['c1', 'public']))
    const { events } = read(url, { takePlace: async () => places.shift(), readEveryMs: 5 })
    await vi.waitFor(() => expect(wordsOf(events)).toEqual(['public']), WAIT)
    expect(seen).toHaveLength(0)
    stream?.refresh({ isNewNetwork: true })
    await vi.waitFor(() => expect(seen).toHaveLength(1), WAIT)
    expect(seen[0]?.headers['last-event-id']).toMatch(/^(c1|after)/)
  })

  test('that is read by plain requests ends when the person is removed', async () => {
    const { url } = await serve([() => {}], (_, response) => {
      const events = [{ name: 'removed', data: { reason: 'banned' } }]
      response.end(JSON.stringify({ success: true, data: { events, cursor: 'c1' } }))
    })
    const { ended, run } = read(url, { firstByteMaxMs: 20 })
    await run
    expect(ended).toEqual(['banned'])
  })

  test('tells the time of the service with each sign of life, and with each plain answer', async () => {
    const times: number[] = []
    const noted = {
      state: () => {},
      event: () => {},
      ended: () => {},
      time: (ms: number) => times.push(ms),
    }
    const { url } = await serve([
      (_, response) => {
        open(response)
        response.end(': now 2030-01-01T10:00:00.000Z\n\n: now then\n\n')
      },
    ])
    read(url, { on: noted })
    await vi.waitFor(() => expect(times).toContain(Date.parse('2030-01-01T10:00:00.000Z')), WAIT)
    expect(times.every((each) => Number.isFinite(each))).toBe(true)
  })

  test('ignores unknown events', async () => {
    const { url } = await serve([
      (_, response) => {
        open(response)
        response.write(
          `event: toString\ndata: {}\n\nevent: later\ndata: x\n\n${event('1', 'public')}`,
        )
      },
    ])
    const { events } = read(url)
    await vi.waitFor(() => expect(wordsOf(events)).toEqual(['public']), WAIT)
  })
})

describe('the wait before the next attempt', () => {
  test.each([
    [0, 0, 500],
    [0, 1, 750],
    [1, 0, 1_000],
    [4, 0, 8_000],
    [5, 0, 10_000],
    [50, 1, 15_000],
  ])('after %i failures, with the random %d, is %i ms', (failures, random, delayMs) => {
    expect(backoffMs(failures, random)).toBe(delayMs)
  })
})
