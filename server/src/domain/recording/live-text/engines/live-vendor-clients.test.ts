import { GladiaClient, type LiveV2WebSocketMessage } from '@gladiaio/sdk'
import { SonioxNodeClient } from '@soniox/node'
import { RealtimeClient, type RealtimeServerMessage } from '@speechmatics/real-time-client'
import { afterEach, describe, expect, test } from 'vitest'
import { packetsOf, speak } from '../../../../testing/live-vendors/ear.ts'
import { gladia } from '../../../../testing/live-vendors/gladia.ts'
import {
  type LiveVendorFixture,
  type PlayedLiveVendor,
  playLiveVendor,
} from '../../../../testing/live-vendors/played-live-vendor.ts'
import { soniox } from '../../../../testing/live-vendors/soniox.ts'
import { speechmatics } from '../../../../testing/live-vendors/speechmatics.ts'

const SAID = 'Good morning everyone today'
const SOUND = packetsOf(speak(SAID.split(' '))).map((pcm) => new Uint8Array(pcm.buffer))

const open: PlayedLiveVendor[] = []
afterEach(() => Promise.all(open.splice(0).map((each) => each.close())))

async function playing(fixture: LiveVendorFixture): Promise<PlayedLiveVendor> {
  const vendor = await playLiveVendor(fixture)
  open.push(vendor)
  return vendor
}

describe("a simulated live vendor can be heard by the vendor's own client", () => {
  // This version of the client sends the key in the greeting. The vendor's document wants it with the connection.
  test.each([false, true])('Soniox, translating: %s', async (isTranslating) => {
    const vendor = await playing(soniox)
    const client = new SonioxNodeClient({ api_key: 'a-key', realtime: { ws_base_url: vendor.url } })
    const session = client.realtime.stt({
      model: 'stt-rt-v5',
      audio_format: 'pcm_s16le',
      sample_rate: 16_000,
      num_channels: 1,
      enable_endpoint_detection: true,
      ...(isTranslating && { translation: { type: 'one_way', target_language: 'de' } }),
    })
    const [originals, translations]: [string[], string[]] = [[], []]
    let endpoints = 0
    session.on('token', ({ text, is_final, translation_status: status }) => {
      if (is_final) (status === 'translation' ? translations : originals).push(text)
    })
    session.on('endpoint', () => {
      endpoints += 1
    })
    await session.connect()
    for (const sound of SOUND) session.sendAudio(sound)
    await session.finish()
    expect([originals.join('').trim(), endpoints]).toEqual([SAID, 1])
    expect(translations.join('').trim()).toBe(isTranslating ? SAID.toUpperCase() : '')
  })

  test('Soniox finalizes', async () => {
    const vendor = await playing(soniox)
    const client = new SonioxNodeClient({ api_key: 'a-key', realtime: { ws_base_url: vendor.url } })
    const session = client.realtime.stt({ model: 'stt-rt-v5', audio_format: 'pcm_s16le' })
    await session.connect()
    const finalized = new Promise<void>((resolve) => session.once('finalized', resolve))
    session.finalize()
    await finalized
    await session.finish()
    expect(vendor.lines[0]?.messages.slice(1)).toEqual([{ type: 'finalize' }, null])
  })

  test('Speechmatics, with a translation', async () => {
    const vendor = await playing(speechmatics)
    const client = new RealtimeClient({ url: vendor.url })
    const heard: RealtimeServerMessage[] = []
    client.addEventListener('receiveMessage', ({ data }) => void heard.push(data))
    await client.start('a-token', {
      audio_format: { type: 'raw', encoding: 'pcm_s16le', sample_rate: 16_000 },
      transcription_config: { language: 'en', model: 'enhanced', enable_partials: true },
      translation_config: { target_languages: ['de'] },
    })
    for (const sound of SOUND) client.sendAudio(sound)
    await client.stopRecognition()
    const texts = heard.flatMap((each) =>
      each.message === 'AddTranscript' ? each.metadata.transcript : [],
    )
    const translations = heard.flatMap((each) =>
      each.message === 'AddTranslation' ? each.results.map(({ content }) => content) : [],
    )
    expect(texts.join('').trim()).toBe(SAID)
    expect(translations).toEqual([SAID.toUpperCase()])
    expect(heard.filter(({ message }) => message === 'AudioAdded').length).toBe(SOUND.length)
    expect(heard.at(-1)?.message).toBe('EndOfTranscript')
    expect(heard.some(({ message }) => message === 'EndOfUtterance')).toBe(true)
  })

  test('Gladia, with a translation', async () => {
    const vendor = await playing(gladia)
    const session = new GladiaClient({ apiKey: 'a-key', apiUrl: vendor.url })
      .liveV2()
      .startSession({ encoding: 'wav/pcm', sample_rate: 16_000, bit_depth: 16, channels: 1 })
    const heard: LiveV2WebSocketMessage[] = []
    session.on('message', (message) => void heard.push(message))
    const ended = new Promise<number>((resolve) =>
      session.once('ended', ({ code }) => resolve(code)),
    )
    for (const sound of SOUND) session.sendAudio(sound)
    session.stopRecording()
    expect(await ended).toBe(1000)
    const texts = heard.flatMap((each) =>
      each.type === 'transcript' && each.data.is_final ? each.data.utterance.text : [],
    )
    const translations = heard.flatMap((each) =>
      each.type === 'translation' ? (each.data?.translated_utterance.text ?? []) : [],
    )
    expect([texts, translations]).toEqual([[SAID], [SAID.toUpperCase()]])
    expect(heard.at(-1)?.type).toBe('end_session')
    expect([vendor.calls, vendor.keys[0]]).toEqual([['POST /v2/live'], 'a-key'])
  })
})
