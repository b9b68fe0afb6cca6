import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DIAGNOSIS_EVERY_MS, PROBE_MAX_MS } from './diagnosis.ts'
import { LOST, UNAVAILABLE } from './refusal.ts'
import { advance, CHOICE, ENTRY, world } from './testing/call-world.ts'

/** A person waits no longer than this for a reason. */
const DIAGNOSIS_MAX_MS = 20_000

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-01T06:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

type World = ReturnType<typeof world>

const blocksMedia = ({ fakes }: World) => Object.assign(fakes, { connectFails: 100 })
const blocksSockets = ({ fakes }: World) =>
  Object.assign(fakes, { connectFails: 100, failsAt: 'signalling' })
const isSilent = ({ fakes }: World) =>
  Object.assign(fakes, { connectFails: 100, failsAt: 'signalling', isMediaAnswering: false })
const neverLetsIn = ({ fakes }: World) => Object.assign(fakes, { entry: new Promise(() => {}) })

describe('a person who presses Join and gets no connection', () => {
  test('waits less than 20 s for the reason', () => {
    expect(DIAGNOSIS_EVERY_MS + PROBE_MAX_MS).toBeLessThan(DIAGNOSIS_MAX_MS)
  })

  test.each([
    ['a network that blocks media', blocksMedia, { stage: 'media', trouble: 'media' }],
    ['one that blocks WebSocket', blocksSockets, { stage: 'signalling', trouble: 'sockets' }],
    ['a media server that is silent', isSilent, { stage: 'signalling', trouble: 'service' }],
    ['a service that is silent', neverLetsIn, { stage: 'entering', trouble: 'service' }],
  ])('reads the reason: %s', async (_, arrange, expected) => {
    const made = world()
    arrange(made)
    void made.call.join(CHOICE)
    await advance(DIAGNOSIS_EVERY_MS - 1)
    expect(made.call.getState()).toMatchObject({ phase: 'joining', trouble: null })
    await advance(1)
    expect(made.call.getState()).toMatchObject({ phase: 'joining', ...expected })
  })

  test('is in the room as soon as the network lets them, however long that takes', async () => {
    const made = world()
    blocksMedia(made)
    void made.call.join(CHOICE)
    await advance(10 * 60_000)
    expect(made.call.getState()).toMatchObject({ phase: 'joining', trouble: 'media' })
    made.fakes.connectFails = 0
    await advance(11_000)
    expect(made.call.getState().phase).toBe('live')
  })

  test('may stop, reads the reason again, and may try again', async () => {
    const made = world()
    blocksMedia(made)
    const { call, fakes, seen } = made
    void call.join(CHOICE)
    await advance(DIAGNOSIS_EVERY_MS)
    call.stopJoining()
    const refusal = { ...UNAVAILABLE, trouble: 'media' }
    expect(call.getState()).toEqual({ phase: 'refused', refusal })
    const { length: opened } = seen.opened
    await advance(60_000)
    expect(seen.opened).toHaveLength(opened)
    expect(seen.liveClosed).toBe(1)
    fakes.connectFails = 0
    await call.joinAgain()
    expect(call.getState().phase).toBe('live')
  })

  test('may stop while the service does not answer, and a late answer changes nothing', async () => {
    const { call, fakes, seen } = world()
    let answer!: () => void
    fakes.entry = new Promise((resolve) => {
      answer = () => resolve({ ok: true, data: ENTRY })
    })
    void call.join(CHOICE)
    await advance(DIAGNOSIS_EVERY_MS)
    call.stopJoining()
    answer()
    await advance(60_000)
    expect(call.getState()).toMatchObject({ refusal: { page: 'unavailable', trouble: 'service' } })
    expect(seen.opened).toEqual([])
  })

  test('never reads that a connection was lost', async () => {
    const made = world()
    blocksMedia(made)
    const { call, fakes, seen } = made
    void call.join(CHOICE)
    await advance(DIAGNOSIS_EVERY_MS)
    fakes.renewal = { ok: false, refusal: UNAVAILABLE }
    await advance(20 * 60_000)
    expect(call.getState()).toMatchObject({ refusal: { page: 'unavailable', trouble: 'media' } })

    void call.joinAgain()
    await advance(0)
    seen.live.at(-1)?.onEnded(LOST)
    expect(call.getState()).toMatchObject({ refusal: { page: 'unavailable' } })
  })
})

test('the time in which a person answers about their consent does not count', async () => {
  const { call, fakes } = world()
  fakes.entry = {
    ok: true,
    data: { ...ENTRY, consents: { recording: 'pending', observation: 'not_asked' } },
  }
  fakes.connectFails = 100
  void call.join(CHOICE)
  await advance(DIAGNOSIS_EVERY_MS)
  expect(call.getState().phase).toBe('consent')
})
