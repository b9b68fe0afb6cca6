import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CallState } from '../../connection/call-state.ts'
import { CLOSED } from '../../connection/refusal.ts'
import { connectHost } from './connect-host.ts'

const HOST = 'https://app.example'
const LIVE = { phase: 'live', facts: {}, scene: {} } as CallState
const LEFT = { phase: 'left', facts: {} } as CallState
const ENDED = { phase: 'refused', refusal: CLOSED, facts: {} } as CallState

const answered = (status: number, policy: string | null = null) =>
  new Response(null, {
    status,
    headers: policy === null ? {} : { 'content-security-policy': policy },
  })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', {})
  vi.stubGlobal('location', { pathname: '/r/room' })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A room page in a frame. The requests for its own policy get these answers, one after the other. */
function open(answers: readonly (() => Response)[]) {
  const posted: string[] = []
  let asked = 0
  let state: CallState = { phase: 'checking' }
  const listeners: (() => void)[] = []
  vi.stubGlobal('parent', {
    postMessage: ({ type }: { type: string }, origin: string) =>
      posted.push(`${type} to ${origin}`),
  })
  vi.stubGlobal('fetch', async () => {
    const answer = answers[asked]
    asked += 1
    if (answer === undefined) throw new Error('asked too often')
    return answer()
  })
  connectHost({
    call: {
      getState: () => state,
      subscribe: (listener) => {
        listeners.push(listener)
        return () => true
      },
    },
    roomId: 'room',
    obstacle: null,
  })
  const move = (next: CallState) => {
    state = next
    for (const listener of listeners) listener()
  }
  return { posted, move, asked: () => asked }
}

const noNetwork = () => {
  throw new TypeError('Failed to fetch')
}
const policyOf = (origins: string) => () => answered(200, `frame-ancestors ${origins}`)

test('events before the embedding page is known are posted later, in order', async () => {
  const { posted, move } = open([
    noNetwork,
    () => answered(503, "frame-ancestors 'none'"),
    () => answered(429),
    policyOf(HOST),
  ])
  move(LIVE)
  await vi.advanceTimersByTimeAsync(0)
  move(LEFT)
  expect(posted).toEqual([])
  await vi.advanceTimersByTimeAsync(10_000)
  move(LIVE)
  move(ENDED)
  await vi.advanceTimersByTimeAsync(0)
  expect(posted).toEqual(['joined', 'left', 'joined', 'closed'].map((each) => `${each} to ${HOST}`))
})

test('a page that nobody may embed posts nothing, and stops asking', async () => {
  const { posted, move, asked } = open([policyOf("'none'")])
  move(LIVE)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(posted).toEqual([])
  expect(asked()).toBe(1)
})

test('a long outage is waited out with a request about every ten seconds', async () => {
  const { posted, move, asked } = open([
    ...Array<() => Response>(100).fill(noNetwork),
    policyOf(HOST),
  ])
  move(LIVE)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked()).toBeGreaterThan(9)
  expect(asked()).toBeLessThan(20)
  await vi.advanceTimersByTimeAsync(2_000_000)
  expect(posted).toEqual([`joined to ${HOST}`])
})
