import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  LIVE_VENDOR_DEFAULTS,
  type LiveVendor,
} from '../../../../platform/config/live-text-config.ts'
import { collectTexts } from '../../../../testing/live-vendors/collect-texts.ts'
import { deepgram } from '../../../../testing/live-vendors/deepgram.ts'
import { packetsOf, speak } from '../../../../testing/live-vendors/ear.ts'
import { gladia } from '../../../../testing/live-vendors/gladia.ts'
import {
  type LiveVendorFixture,
  type PlayedLiveVendor,
  playLiveVendor,
} from '../../../../testing/live-vendors/played-live-vendor.ts'
import { soniox } from '../../../../testing/live-vendors/soniox.ts'
import { speechmatics } from '../../../../testing/live-vendors/speechmatics.ts'
import { waitFor } from '../../../../testing/wait-for.ts'
import { bindLiveEngines } from './bind-live-engines.ts'

const FIXTURES = [soniox, deepgram, speechmatics, gladia] as const
const NAMED = FIXTURES.map((fixture) => [fixture.name, fixture] as const)
const TRANSLATING = NAMED.filter(([name]) => name !== 'deepgram')
const UTTERANCES = [
  ['Good', 'morning', 'everyone'],
  ['today', 'we', 'talk', 'about', 'green', 'tea'],
] as const
const SAID = UTTERANCES.map((words) => words.join(' '))

const played: PlayedLiveVendor[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(played.splice(0).map((each) => each.close()))
})

const play = async (fixture: LiveVendorFixture) => {
  const vendor = await playLiveVendor(fixture)
  played.push(vendor)
  return vendor
}

function engineAt(name: LiveVendor, url: string, changes: { model?: string } = {}) {
  const own = { url, apiKey: 'a-key', model: 'a-model', languages: ['en-US'], ...changes }
  const none = { ...own, url: LIVE_VENDOR_DEFAULTS[name].url }
  const others = { soniox: none, deepgram: none, gladia: none, speechmatics: none }
  const vendors = { ...others, [name]: own }
  const [engine] = bindLiveEngines({ engines: [name], local: undefined, vendors })
  if (engine === undefined) throw new Error(`no engine ${name}`)
  return engine
}

interface Open {
  model?: string
  language?: string
  translateTo?: string | null
  url?: string
}

async function open(fixture: LiveVendorFixture, given: Open = {}) {
  const { model, language = 'en-US', translateTo = null } = given
  const vendor = await play(fixture)
  const engine = engineAt(
    fixture.name,
    given.url ?? vendor.url,
    model === undefined ? {} : { model },
  )
  const heard = collectTexts()
  const stop = new AbortController()
  const stream = engine.open({ language, translateTo, signal: stop.signal }, heard.sink)
  const say = (...utterances: (readonly string[])[]) => {
    for (const words of utterances) for (const each of packetsOf(speak(words))) stream.push(each)
  }
  const soundBytes = () => vendor.lines.reduce((sum, line) => sum + line.soundBytes, 0)
  return { vendor, engine, stream, say, stop, soundBytes, ...heard }
}

describe.each(NAMED)('%s', (name, fixture) => {
  test('gives partial texts, and one final text for each utterance, in the time of the sound', async () => {
    const { say, stream, said, texts, ends } = await open(fixture)
    say(...UTTERANCES)
    stream.end()
    await waitFor(() => ends.length > 0)
    expect([ends, said()]).toEqual([[null], SAID])
    const finals = texts.filter(({ isFinal }) => isFinal)
    expect(finals.map(({ segment }) => segment)).toEqual([0, 1])
    expect(finals[0]?.startSec).toBeCloseTo(0, 1)
    expect(finals[0]?.endSec).toBeCloseTo(1.2, 1)
    expect(finals[1]?.startSec).toBeCloseTo(2, 1)
    expect(finals[1]?.endSec).toBeCloseTo(4.4, 1)
    const partials = texts.filter(({ isFinal, segment }) => !isFinal && segment === 1)
    expect(partials.map(({ text }) => text)).toContain('today we')
    expect(
      texts.every(({ language, isTranslation }) => language === 'en-US' && !isTranslation),
    ).toBe(true)
  })

  test('sends all sound, also what came before the connection, and the key', async () => {
    const { say, stream, ends, vendor, soundBytes } = await open(fixture)
    say(UTTERANCES[0])
    stream.end()
    await waitFor(() => ends.length > 0)
    expect(soundBytes()).toBe(2 * 16_000 * 2)
    const keys = {
      soniox: ['Bearer a-key'],
      deepgram: ['Token a-key'],
      speechmatics: ['Bearer a-key'],
      gladia: ['a-key', undefined, 'a-key'],
    }
    await waitFor(() => vendor.keys.length === keys[name].length)
    expect(vendor.keys).toEqual(keys[name])
  })

  test('gives the final text when the sound pauses in an utterance', async () => {
    const { stream, said, stop } = await open(fixture)
    const silenceSec = name === 'gladia' ? 0.8 : 0.1
    for (const each of packetsOf(speak(UTTERANCES[0], 0.4, silenceSec))) stream.push(each)
    await waitFor(() => said().length > 0)
    expect(said()).toEqual([SAID[0]])
    stop.abort()
  })

  test('gives what it heard of an unfinished utterance at the end', async () => {
    const { stream, said, ends } = await open(fixture)
    for (const each of packetsOf(speak(UTTERANCES[0], 0.4, 0))) stream.push(each)
    stream.end()
    await waitFor(() => ends.length > 0)
    expect([ends, said()]).toEqual([[null], [SAID[0]]])
  })

  test('ends an aborted stream without a further text or byte', async () => {
    const { say, stop, ends, texts, soundBytes, vendor } = await open(fixture)
    say(UTTERANCES[0])
    await waitFor(() => texts.length > 0)
    stop.abort()
    const [count, bytes] = [texts.length, soundBytes()]
    say(UTTERANCES[1])
    const { request } = vendor.lines[0] ?? {}
    await waitFor(() => request?.socket.destroyed === true)
    expect([ends, texts.length, soundBytes()]).toEqual([[null], count, bytes])
  })

  test('opens nothing for a signal that is aborted already', async () => {
    const vendor = await play(fixture)
    const { sink, ends } = collectTexts()
    const signal = AbortSignal.abort()
    const options = { language: 'en-US', translateTo: null, signal }
    engineAt(name, vendor.url).open(options, sink)
    await waitFor(() => ends.length > 0)
    expect([ends, vendor.lines.length, vendor.calls.length]).toEqual([[null], 0, 0])
  })

  test('that refuses the key ends with an error that says nothing of it', async () => {
    const vendor = await play(fixture)
    vendor.refusesWith = 401
    const { sink, ends } = collectTexts()
    const { signal } = new AbortController()
    engineAt(name, vendor.url).open({ language: 'en-US', translateTo: null, signal }, sink)
    await waitFor(() => ends.length > 0)
    expect(ends).toEqual(['the engine answered with 401'])
  })

  test('whose connection breaks ends with an error, and with no final text', async () => {
    const { stream, ends, texts, said, vendor } = await open(fixture)
    for (const each of packetsOf(speak(UTTERANCES[0], 0.4, 0))) stream.push(each)
    await waitFor(() => texts.length > 0)
    vendor.kill()
    await waitFor(() => ends.length > 0)
    expect([ends, said()]).toEqual([['the engine ended the connection with 1006'], []])
  })

  test('that is not there ends with an error', async () => {
    const gone = await play(fixture)
    await gone.close()
    const { sink, ends } = collectTexts()
    const { signal } = new AbortController()
    engineAt(name, gone.url).open({ language: 'en-US', translateTo: null, signal }, sink)
    await waitFor(() => ends.length > 0)
    expect(ends).toEqual(['the engine cannot be reached'])
  })

  test('that says nothing to 30 seconds of sound ends with an error', async () => {
    const { stream, ends, vendor } = await open(fixture)
    await waitFor(() => vendor.lines.length > 0)
    vendor.isMute = true
    const sound = new Int16Array(16_000)
    for (let second = 0; second < 30; second += 1) stream.push(sound)
    expect(ends).toEqual([])
    stream.push(sound)
    expect(ends).toEqual(['the engine does not answer'])
  })

  test('refuses a language that it does not know before it connects', async () => {
    const { ends, vendor } = await open(fixture, { language: 'th-TH' })
    await waitFor(() => ends.length > 0)
    expect([ends, vendor.lines.length]).toEqual([['the engine does not know the language'], 0])
  })
})

describe.each(TRANSLATING)('%s translates', (_name, fixture) => {
  test('each utterance under the number of its original', async () => {
    const { say, stream, said, translated, texts, ends } = await open(fixture, {
      translateTo: 'ko-KR',
    })
    say(...UTTERANCES)
    stream.end()
    await waitFor(() => ends.length > 0)
    expect(said()).toEqual(SAID)
    expect(translated()).toEqual(SAID.map((text) => text.toUpperCase()))
    const translations = texts.filter(({ isFinal, isTranslation }) => isFinal && isTranslation)
    expect(translations.map(({ segment, language }) => [segment, language])).toEqual([
      [0, 'ko-KR'],
      [1, 'ko-KR'],
    ])
  })
})

test('a vendor that translates gives no translation unless it is asked for', async () => {
  const { say, stream, translated, ends } = await open(gladia)
  say(UTTERANCES[0])
  stream.end()
  await waitFor(() => ends.length > 0)
  expect(translated()).toEqual([])
})

test('a vendor is not asked to translate into the same language', async () => {
  const { stream, ends, vendor } = await open(gladia, { translateTo: 'en-US' })
  stream.end()
  await waitFor(() => ends.length > 0)
  expect(vendor.bodies).toMatchObject([
    { messages_config: { receive_realtime_processing_events: false } },
  ])
  expect(vendor.bodies[0]).not.toHaveProperty('realtime_processing')
})

test('Deepgram ignores a wish for a translation', async () => {
  const { say, stream, said, translated, ends, vendor } = await open(deepgram, {
    translateTo: 'ja-JP',
  })
  say(UTTERANCES[0])
  stream.end()
  await waitFor(() => ends.length > 0)
  expect([said(), translated()]).toEqual([[SAID[0]], []])
  const { searchParams } = new URL(vendor.lines[0]?.request.url ?? '', vendor.url)
  expect(Object.fromEntries(searchParams)).toEqual({
    model: 'a-model',
    language: 'en-US',
    encoding: 'linear16',
    sample_rate: '16000',
    channels: '1',
    punctuate: 'true',
    interim_results: 'true',
    endpointing: '500',
    mip_opt_out: 'true',
  })
})

test('Soniox gets its key with the connection only, and the settings of the sound', async () => {
  const { stream, ends, vendor } = await open(soniox, { translateTo: 'zh-TW' })
  stream.end()
  await waitFor(() => ends.length > 0)
  expect(vendor.lines[0]?.messages).toEqual([
    {
      model: 'a-model',
      audio_format: 'pcm_s16le',
      sample_rate: 16_000,
      num_channels: 1,
      language_hints: ['en'],
      enable_endpoint_detection: true,
      translation: { type: 'one_way', target_language: 'zh' },
    },
    null,
  ])
})

test('an error in the messages of Soniox ends the stream, without its text', async () => {
  const { ends } = await open(soniox, { model: 'no-such-model' })
  await waitFor(() => ends.length > 0)
  expect(ends).toEqual(['the engine refused with 400'])
})

test.each(['<html>', '', '{"tokens": [', 'null', '[]', '{"tokens":[{"text":7,"is_final":true}]}'])(
  'an odd answer costs no more than its own stream: %j',
  async (answer) => {
    const { say, stream, ends, vendor, texts } = await open(soniox)
    await waitFor(() => vendor.lines.length > 0)
    vendor.lines[0]?.sendText(answer)
    say(UTTERANCES[0])
    stream.end()
    await waitFor(() => ends.length > 0)
    const isJson = ['null', '[]'].includes(answer) || answer.endsWith('}')
    expect(ends).toEqual([isJson ? null : 'the engine answered what is no message'])
    expect(texts.some(({ isFinal }) => isFinal)).toBe(isJson)
  },
)

test('Speechmatics gets the number of its messages at the end', async () => {
  const { say, stream, ends, vendor } = await open(speechmatics)
  say(UTTERANCES[0])
  stream.end()
  await waitFor(() => ends.length > 0)
  expect(vendor.lines[0]?.messages.at(-1)).toEqual({ message: 'EndOfStream', last_seq_no: 20 })
})

test('Gladia deletes a session after its end, also one that was aborted', async () => {
  const { say, stop, texts, vendor } = await open(gladia)
  say(UTTERANCES[0])
  await waitFor(() => texts.length > 0)
  stop.abort()
  await waitFor(() => vendor.calls.length === 2)
  expect(vendor.calls).toEqual([
    'POST /v2/live',
    'DELETE /v2/live/4a39145c-2844-4557-8f34-34883f7be7d9',
  ])
})

test('speech without a pause is cut into segments of about five seconds, between words', async () => {
  const { stream, said, ends } = await open(soniox)
  const words = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 'green' : 'tea'))
  for (const each of packetsOf(speak(words))) stream.push(each)
  stream.end()
  await waitFor(() => ends.length > 0)
  expect(said().join(' ')).toBe(words.join(' '))
  expect(said().length).toBe(5)
})

test('a connection that answers no beat is gone', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { say, said, ends, vendor } = await open(deepgram)
  say(UTTERANCES[0])
  await waitFor(() => said().length > 0)
  vendor.lines[0]?.request.socket.pause()
  vi.advanceTimersByTime(3_000)
  expect(ends).toEqual([])
  vi.advanceTimersByTime(1_500)
  expect(ends).toEqual(['the engine is gone'])
})

test.each([
  ['soniox', soniox, { type: 'keepalive' }],
  ['deepgram', deepgram, { type: 'KeepAlive' }],
] as const)('%s is kept open while nobody speaks', async (_name, fixture, message) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { ends, vendor, stop } = await open(fixture)
  await waitFor(() => vendor.lines.length > 0)
  const line = vendor.lines[0]
  await waitFor(() => {
    vi.advanceTimersByTime(1_500)
    return line?.messages.some((each) => JSON.stringify(each) === JSON.stringify(message)) === true
  })
  expect(ends).toEqual([])
  stop.abort()
})
