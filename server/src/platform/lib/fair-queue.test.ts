import { afterEach, describe, expect, test, vi } from 'vitest'
import { FairQueue, type Release } from './fair-queue.ts'

afterEach(() => {
  vi.useRealTimers()
})

const settled = () => new Promise(setImmediate)

/**
 * Lets requests arrive, each letter one of the caller of this name. Then gives the places back one by one, oldest
 * first, until every request has ended.
 */
async function serve(queue: FairQueue, arrivals: string) {
  const held: { caller: string; release: Release }[] = []
  const served: string[] = []
  let refused = ''
  for (const caller of arrivals) {
    void queue.take(caller).then((release) => {
      if (release === undefined) refused += caller
      else held.push({ caller, release })
    })
  }
  await settled()
  const atOnce = held.map(({ caller }) => caller).join('')
  for (let next = held.shift(); next !== undefined; next = held.shift()) {
    served.push(next.caller)
    next.release()
    await settled()
  }
  return { atOnce, refused, served: served.join('') }
}

const CASES = {
  'bounds the places of all callers': {
    limits: { places: 2, placesPerCaller: 2 },
    arrivals: 'abc',
    outcome: { atOnce: 'ab', refused: '', served: 'abc' },
  },
  'bounds the places of one caller, whatever others hold': {
    limits: { placesPerCaller: 1 },
    arrivals: 'aabb',
    outcome: { atOnce: 'ab', refused: '', served: 'abab' },
  },
  'keeps a share of the places for others': {
    limits: { places: 4, placesPerCaller: 3 },
    arrivals: 'aaaaab',
    outcome: { atOnce: 'aaab', refused: '', served: 'aaabaa' },
  },
  'lets waiting callers take turns': {
    limits: { places: 1, placesPerCaller: 1 },
    arrivals: 'xaaabc',
    outcome: { atOnce: 'x', refused: '', served: 'xabcaa' },
  },
  'refuses a request that too many wait before': {
    limits: { places: 1, placesPerCaller: 1, waiting: 2 },
    arrivals: 'abcd',
    outcome: { atOnce: 'a', refused: 'd', served: 'abc' },
  },
  'keeps a share of the queue for others': {
    limits: { places: 1, placesPerCaller: 1, waiting: 3, waitingPerCaller: 2 },
    arrivals: 'aaaabb',
    outcome: { atOnce: 'a', refused: 'ab', served: 'aaba' },
  },
}

describe('a fair queue', () => {
  test.each(Object.entries(CASES))('%s', async (_name, { limits, arrivals, outcome }) => {
    const queue = new FairQueue(limits)
    expect(await serve(queue, arrivals)).toEqual(outcome)
    // Every place has come back.
    expect(await serve(queue, arrivals)).toEqual(outcome)
  })

  test('takes a free place without waiting, and no other', () => {
    const queue = new FairQueue({ placesPerCaller: 1 })
    const release = queue.tryTake('a')
    expect(queue.tryTake('a')).toBeUndefined()
    release?.()
    expect(queue.tryTake('a')).toBeTypeOf('function')
  })

  test('is full for a caller while its share of the queue is taken', async () => {
    const queue = new FairQueue({ placesPerCaller: 1, waitingPerCaller: 1 })
    const release = await queue.take('a')
    const second = queue.take('a')
    expect([queue.isFullFor('a'), queue.isFullFor('b')]).toEqual([true, false])
    release?.()
    await second
    expect(queue.isFullFor('a')).toBe(false)
  })

  test('gives up after the waiting time, and gives the place to the next', async () => {
    vi.useFakeTimers()
    const queue = new FairQueue({ placesPerCaller: 1, waitingPerCaller: 2 })
    const release = await queue.take('a')
    const late = queue.take('a', 1_000)
    const patient = queue.take('a', 2_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await late).toBeUndefined()
    expect(queue.isFullFor('a')).toBe(false)
    release?.()
    expect(await patient).toBeTypeOf('function')
    expect(vi.getTimerCount()).toBe(0)
  })
})
