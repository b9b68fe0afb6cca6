import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepAsking } from './keep-asking.ts'

const BEGIN = Date.UTC(2026, 5, 1, 6)
const OPENS = BEGIN + 150_000

let page: EventTarget
let screen: EventTarget & { visibilityState: string }

beforeEach(() => {
  vi.useFakeTimers({ now: BEGIN })
  page = new EventTarget()
  screen = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', screen)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A page that waits since `BEGIN`. Records the seconds after which it asked. */
function wait(opensAtLocalMs = OPENS) {
  const asked: number[] = []
  const stop = keepAsking({
    opensAtLocalMs,
    ask: () => asked.push((Date.now() - BEGIN) / 1000),
    random: 0,
  })
  return { asked, stop }
}

/** The machine sleeps: its clock continues, but no timer runs. */
const sleep = (sec: number) => vi.setSystemTime(Date.now() + sec * 1000)
const run = (sec: number) => vi.advanceTimersByTime(sec * 1000)

test('asks every minute, at the time of opening, and then every few seconds', () => {
  const { asked } = wait()
  run(165)
  expect(asked).toEqual([60, 120, 151, 156, 161])
})

test('asks as soon as a machine that slept through the opening wakes up, and does not stop', () => {
  const { asked } = wait()
  run(10)
  sleep(600)
  run(6)
  expect(asked).toEqual([610.5, 615.5])
})

test.each([
  ['the page is looked at', () => screen.dispatchEvent(new Event('visibilitychange'))],
  ['a frozen page continues', () => screen.dispatchEvent(new Event('resume'))],
  ['a page that was put away is back', () => page.dispatchEvent(new Event('pageshow'))],
  ['the network is back', () => page.dispatchEvent(new Event('online'))],
])('asks when %s', (_, wake) => {
  const { asked, stop } = wait()
  run(10)
  wake()
  screen.visibilityState = 'hidden'
  wake()
  screen.visibilityState = 'visible'
  stop()
  wake()
  run(600)
  expect(asked).toEqual([10])
})

test('asks without hurry about a room that should already be open by the answer', () => {
  const { asked } = wait(BEGIN - 5_000)
  run(12)
  expect(asked).toEqual([5, 10])
})

test("asks when the machine's clock was set back", () => {
  const { asked } = wait()
  sleep(-3600)
  run(61)
  expect(asked).toEqual([-3599.5, -3539.5])
})
