import * as fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { LiveEngine, LiveSink, LiveText } from '../../../../platform/ports/live-engine.ts'
import { collectTexts } from '../../../../testing/live-vendors/collect-texts.ts'
import { deepgram } from '../../../../testing/live-vendors/deepgram.ts'
import { Ear, packetsOf, speak } from '../../../../testing/live-vendors/ear.ts'
import {
  type LiveVendorFixture,
  type PlayedLiveVendor,
  playLiveVendor,
} from '../../../../testing/live-vendors/played-live-vendor.ts'
import { soniox } from '../../../../testing/live-vendors/soniox.ts'
import { SOON, waitFor } from '../../../../testing/wait-for.ts'
import { createLiveDeepgram } from './deepgram.ts'
import { openFirst } from './open-first.ts'
import { createLiveSoniox } from './soniox.ts'

const vendors: PlayedLiveVendor[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(vendors.splice(0).map((each) => each.close()))
})

interface Opened {
  sink: LiveSink
  ear: Ear
  pushedSec: () => number
  hasEnd: boolean
  /** Says what was heard so far. */
  say(isFinal: boolean): void
}

/** An engine in this process whose texts the test chooses. */
function scripted(name: string): LiveEngine & { opened: Opened[]; isDown: boolean } {
  const engine = {
    name,
    isDown: false,
    opened: [] as Opened[],
    open(_options: object, sink: LiveSink) {
      const ear = new Ear()
      let segment = 0
      const own: Opened = {
        sink,
        ear,
        hasEnd: false,
        pushedSec: () => ear.heardSec,
        say(isFinal) {
          const words = isFinal ? ear.take() : ear.words
          const text = words.map((word) => word.text).join(' ')
          const span = { startSec: words[0]?.startSec ?? 0, endSec: words.at(-1)?.endSec ?? 0 }
          sink.text({ segment, text, isFinal, ...span, language: 'en-US', isTranslation: false })
          if (isFinal) segment += 1
        },
      }
      engine.opened.push(own)
      if (engine.isDown) sink.ended(new Error(`${name} is down`))
      return {
        push: (pcm: Int16Array) => void ear.hear(pcm),
        end: () => {
          own.hasEnd = true
        },
      }
    },
  }
  return engine
}

function first(engines: readonly LiveEngine[]) {
  const heard = collectTexts()
  const stop = new AbortController()
  const failures: string[] = []
  const options = {
    language: 'en-US',
    translateTo: null,
    signal: stop.signal,
    onFailure: (engine: string, { message }: Error) => void failures.push(`${engine}: ${message}`),
  }
  const stream = openFirst(engines, options, heard.sink)
  const say = (words: readonly string[], silenceSec = 0.8) => {
    for (const each of packetsOf(speak(words, 0.4, silenceSec))) stream.push(each)
  }
  return { stream, stop, say, failures, ...heard }
}

const WORDS = Array.from(
  { length: 18 },
  (_, at) => ['green', 'tea', 'and', 'cold', 'water', 'today'][at % 6] ?? '',
)
const shown = (texts: readonly LiveText[]) =>
  texts.map(({ segment, text, isFinal }) => `${segment} ${text}${isFinal ? '.' : ''}`)
const down = (opened: Opened | undefined) => opened?.sink.ended(new Error('killed'))

describe('an engine that is killed in mid-sentence', () => {
  test('loses no word, and the next one doubles none', async () => {
    const [one, two] = [scripted('one'), scripted('two')]
    const { say, texts, said, failures } = first([one, two])
    say(['Good', 'morning'])
    one.opened[0]?.say(true)
    say(['today', 'we', 'talk'], 0)
    one.opened[0]?.say(false)
    down(one.opened[0])
    say(['about'], 0)
    await waitFor(() => two.opened.length > 0)
    say(['green', 'tea'])
    two.opened[0]?.say(true)
    expect(said()).toEqual(['Good morning', 'today we talk about green tea'])
    expect(shown(texts)).toEqual([
      '0 Good morning.',
      '1 today we talk',
      '1 today we talk about green tea.',
    ])
    expect(texts.at(-1)?.startSec).toBeCloseTo(1.6, 1)
    expect(texts.at(-1)?.endSec).toBeCloseTo(4, 1)
    expect(failures).toEqual(['one: killed'])
  })

  test('is followed by the next one, which hears the last ten seconds at most', async () => {
    const [one, two] = [scripted('one'), scripted('two')]
    const { say } = first([one, two])
    say(Array.from({ length: 50 }, () => 'tea'))
    down(one.opened[0])
    await waitFor(() => two.opened.length > 0)
    expect(two.opened[0]?.pushedSec()).toBe(10)
  })

  test('says nothing any more, although it goes on', async () => {
    const [one, two] = [scripted('one'), scripted('two')]
    const { say, texts, ends } = first([one, two])
    say(['Good'])
    down(one.opened[0])
    one.opened[0]?.say(true)
    down(one.opened[0])
    await waitFor(() => two.opened.length > 0)
    expect([texts, ends, two.opened.length]).toEqual([[], [], 1])
  })
})

describe('engines that fail one after the other', () => {
  test('have their turns at once, then the first again with a pause that grows to 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const [one, two] = [scripted('one'), scripted('two')]
    one.isDown = true
    two.isDown = true
    const { stop } = first([one, two])
    const pauses: number[] = []
    for (let round = 1; round <= 7; round += 1) {
      await vi.advanceTimersByTimeAsync(1)
      expect([one.opened.length, two.opened.length]).toEqual([round, round])
      let pauseSec = 0
      while (one.opened.length === round) {
        await vi.advanceTimersByTimeAsync(1_000)
        pauseSec += 1
      }
      pauses.push(pauseSec)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30])
    stop.abort()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('wait a second again after a final text', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const one = scripted('one')
    const { say, stop } = first([one])
    down(one.opened[0])
    await vi.advanceTimersByTimeAsync(1_000)
    down(one.opened[1])
    await vi.advanceTimersByTimeAsync(2_000)
    say(['Good'])
    one.opened[2]?.say(true)
    say(['morning', 'everyone', 'today', 'we', 'talk'])
    down(one.opened[2])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(one.opened.length).toBe(4)
    stop.abort()
  })

  test('have one more turn each at the end, and then it ends with the error', async () => {
    const [one, two] = [scripted('one'), scripted('two')]
    const { stream, ends, say } = first([one, two])
    say(['Good'], 0)
    stream.end()
    expect(one.opened[0]?.hasEnd).toBe(true)
    down(one.opened[0])
    await waitFor(() => two.opened.length > 0)
    expect([two.opened[0]?.hasEnd, ends]).toEqual([true, []])
    down(two.opened[0])
    expect([ends, one.opened.length, two.opened.length]).toEqual([['killed'], 1, 1])
  })
})

test('an engine that ends a quiet stream goes on with the next sound, and is no failure', () => {
  const [one, two] = [scripted('one'), scripted('two')]
  const { say, said, texts, failures } = first([one, two])
  say(['Good', 'morning'])
  one.opened[0]?.say(true)
  down(one.opened[0])
  expect([one.opened.length, two.opened.length]).toEqual([1, 0])
  say(['today', 'we'])
  one.opened[1]?.say(true)
  expect([said(), failures]).toEqual([['Good morning', 'today we'], []])
  expect(texts.map(({ segment }) => segment)).toEqual([0, 1])
  expect(texts[1]?.startSec).toBeCloseTo(1.6, 1)
})

test('translations share the number of their original, also after a failure', async () => {
  const [one, two] = [scripted('one'), scripted('two')]
  const { say, texts } = first([one, two])
  say(['Good'])
  one.opened[0]?.say(true)
  say(['morning', 'everyone', 'today', 'we'])
  down(one.opened[0])
  await waitFor(() => two.opened.length > 0)
  two.opened[0]?.say(true)
  const spoken = { segment: 0, isFinal: true, startSec: 0, endSec: 1, language: 'ja-JP' }
  two.opened[0]?.sink.text({ ...spoken, text: 'おはよう', isTranslation: true })
  expect(texts.map(({ segment, isTranslation }) => [segment, isTranslation])).toEqual([
    [0, false],
    [1, false],
    [1, true],
  ])
})

test('an aborted stream ends at once, and opens no engine any more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [one, two] = [scripted('one'), scripted('two')]
  const { stop, texts, ends, say } = first([one, two])
  say(['Good'])
  down(one.opened[0])
  stop.abort()
  one.opened[0]?.say(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([ends, texts, two.opened.length]).toEqual([[null], [], 0])
})

/** Words of a sentence, and the packets after which the engine is killed. */
const SENTENCE = fc.record({
  count: fc.integer({ min: 1, max: 18 }),
  kills: fc.uniqueArray(fc.integer({ min: 0, max: 79 }), { maxLength: 4 }),
})

test('whatever kills engines, each word of each sentence comes once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const property = fc.asyncProperty(fc.array(SENTENCE, { maxLength: 4 }), async (sentences) => {
    const engines = [scripted('one'), scripted('two'), scripted('three')]
    const { stream, said, stop, texts } = first(engines)
    const sinks: Opened[] = []
    const current = () => {
      const opened = engines.flatMap((engine) => engine.opened)
      const fresh = opened.filter((each) => !sinks.includes(each))
      sinks.push(...fresh)
      return sinks.at(-1)
    }
    for (const { count, kills } of sentences) {
      const packets = packetsOf(speak(WORDS.slice(0, count), 0.4, 0.5))
      for (const [at, packet] of packets.entries()) {
        stream.push(packet)
        if (at % 3 === 0) current()?.say(false)
        if (kills.includes(at)) {
          down(current())
          await vi.advanceTimersByTimeAsync(30_000)
        }
      }
      current()?.say(true)
    }
    stop.abort()
    expect(said()).toEqual(sentences.map(({ count }) => WORDS.slice(0, count).join(' ')))
    const finals = texts.filter(({ isFinal }) => isFinal)
    expect(finals.map(({ segment }) => segment)).toEqual(sentences.map((_, at) => at))
  })
  await fc.assert(property, { numRuns: 100 })
})

test('a stream without any engine ends with an error', async () => {
  const { ends } = first([])
  await vi.waitFor(() => expect(ends).toEqual(['live text has no engine']), SOON)
})

async function play(fixture: LiveVendorFixture): Promise<PlayedLiveVendor> {
  const vendor = await playLiveVendor(fixture)
  vendors.push(vendor)
  return vendor
}

test.each([
  ['dies', (vendor: PlayedLiveVendor) => vendor.kill()],
  [
    'is cut off',
    (vendor: PlayedLiveVendor) => {
      vendor.lines[0]?.request.socket.pause()
      vi.advanceTimersByTime(4_500)
    },
  ],
])('each word comes once where a vendor %s in mid-sentence', async (_what, strike) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const [dying, other] = [await play(soniox), await play(deepgram)]
  const own = { apiKey: 'k', model: 'm', languages: ['en-US'] }
  const engines = [
    createLiveSoniox({ ...own, url: dying.url }),
    createLiveDeepgram({ ...own, url: other.url }),
  ]
  const { say, stream, texts, said, ends, failures } = first(engines)
  say(['Good', 'morning', 'everyone'])
  await waitFor(() => said().length === 1)
  say(['today', 'we', 'talk', 'about'], 0)
  await waitFor(() => texts.some(({ text }) => text.startsWith('today we talk')))
  strike(dying)
  say(['green', 'tea'])
  say(['and', 'cold', 'water'])
  await waitFor(() => other.lines.length > 0)
  stream.end()
  await waitFor(() => ends.length > 0)
  expect([ends, failures.length]).toEqual([[null], 1])
  expect(said()).toEqual([
    'Good morning everyone',
    'today we talk about green tea',
    'and cold water',
  ])
  const finals = texts.filter(({ isFinal }) => isFinal)
  expect(finals.map(({ segment }) => segment)).toEqual([0, 1, 2])
})
