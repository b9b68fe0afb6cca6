import { GladiaClient } from '@gladiaio/sdk'
import { SonioxNodeClient } from '@soniox/node'
import { BatchClient } from '@speechmatics/batch-client'
import { afterEach, describe, expect, test } from 'vitest'
import { type PlayedVendor, playVendor } from '../../../../testing/played-vendors.ts'
import { HELLO } from '../../../../testing/vendor-answers.ts'
import { gladia } from '../../../../testing/vendors/gladia.ts'
import { soniox } from '../../../../testing/vendors/soniox.ts'
import { speechmatics } from '../../../../testing/vendors/speechmatics.ts'
import {
  JOB_ID,
  type Said,
  type VendorFixture,
} from '../../../../testing/vendors/vendor-fixture.ts'

const AUDIO = Buffer.from('sound')
const SAID = HELLO.map(([text]) => text).join(' ')

const open: PlayedVendor[] = []
afterEach(() => Promise.all(open.splice(0).map((each) => each.close())))

async function playing(fixture: VendorFixture, said: Said, kind: 'hearing' | 'translating') {
  const behaviour = fixture[kind]?.(said)
  if (behaviour === undefined) throw new RangeError(`${fixture.name} has no ${kind}`)
  const vendor = await playVendor(behaviour)
  open.push(vendor)
  return vendor
}

/** Addresses without the parameters that the clients add. */
const called = ({ calls }: PlayedVendor) =>
  calls.map(({ method, address }) => `${method} ${address.split('?')[0]}`)

describe("a simulated vendor can be read by the vendor's own client", () => {
  test('Speechmatics: the words, and the addresses and the key that our adapter uses', async () => {
    const vendor = await playing(speechmatics, HELLO, 'hearing')
    const client = new BatchClient({ apiKey: 'a-key', apiUrl: `${vendor.url}/v2`, appId: 'test' })
    const file = new File([AUDIO], 'audio.flac')
    const config = { transcription_config: { language: 'en', diarization: 'speaker' } } as const
    const heard = await client.transcribe(file, config, 'json-v2')
    if (typeof heard === 'string') throw new TypeError(heard)
    const words = heard.results.map(({ alternatives }) => alternatives?.[0])
    expect(words.map((word) => word?.content)).toEqual(['Hello', 'there', '.'])
    expect(words.map((word) => word?.speaker)).toEqual(['S1', 'S1', 'S1'])
    await client.deleteJob(JOB_ID, true)
    expect(called(vendor)).toEqual([
      'POST /v2/jobs',
      `GET /v2/jobs/${JOB_ID}`,
      `GET /v2/jobs/${JOB_ID}/transcript`,
      `DELETE /v2/jobs/${JOB_ID}`,
    ])
    expect(vendor.calls[0]?.headers.authorization).toBe('Bearer a-key')
  })

  test('Speechmatics: a translation', async () => {
    const vendor = await playing(speechmatics, HELLO, 'translating')
    const client = new BatchClient({ apiKey: 'a-key', apiUrl: `${vendor.url}/v2`, appId: 'test' })
    const config = {
      transcription_config: { language: 'ja' },
      translation_config: { target_languages: ['en'] },
    }
    const heard = await client.transcribe(new File([AUDIO], 'audio.flac'), config, 'json-v2')
    if (typeof heard === 'string') throw new TypeError(heard)
    const said = heard.translations?.['en']?.map(({ content }) => content)
    expect(said).toEqual(HELLO.map(([text]) => text))
  })

  test.each(['hearing', 'translating'] as const)('Soniox: %s', async (kind) => {
    const vendor = await playing(soniox, HELLO, kind)
    const client = new SonioxNodeClient({ api_key: 'a-key', base_url: vendor.url })
    const heard = await client.stt.transcribe({
      model: 'stt-async-v5',
      file: AUDIO,
      filename: 'audio.flac',
      enable_speaker_diarization: true,
      wait: true,
      cleanup: ['file', 'transcription'],
    })
    const tokens = heard.transcript?.tokens ?? []
    const meant = kind === 'hearing' ? undefined : 'translation'
    const own = tokens.filter(({ translation_status: status }) => (status ?? undefined) === meant)
    const text = own.map((token) => token.text).join(kind === 'hearing' ? '' : ' ')
    expect([heard.status, text]).toEqual(['completed', SAID])
    expect(new Set(tokens.map(({ speaker }) => speaker))).toEqual(new Set(['1']))
    expect(called(vendor).slice(0, 4)).toEqual([
      'POST /v1/files',
      'POST /v1/transcriptions',
      `GET /v1/transcriptions/${JOB_ID}`,
      `GET /v1/transcriptions/${JOB_ID}/transcript`,
    ])
    expect(vendor.calls[0]?.headers.authorization).toBe('Bearer a-key')
  })

  test.each(['hearing', 'translating'] as const)('Gladia: %s', async (kind) => {
    const vendor = await playing(gladia, HELLO, kind)
    const client = new GladiaClient({ apiKey: 'a-key', apiUrl: vendor.url }).preRecordedV2()
    const { audio_url } = await client.uploadFile(new File([AUDIO], 'audio.flac'))
    const job = await client.createAndPoll({ audio_url, diarization: true })
    const { transcription, translation } = job.result ?? {}
    const heard = kind === 'hearing' ? transcription : translation?.results?.[0]
    expect([job.status, heard?.full_transcript]).toEqual(['done', SAID])
    expect(heard?.utterances[0]?.words.map(({ word }) => word).join('')).toBe(SAID)
    expect(await client.delete(JOB_ID)).toBe(true)
    expect(called(vendor)).toEqual([
      'POST /v2/upload',
      'POST /v2/pre-recorded',
      `GET /v2/pre-recorded/${JOB_ID}`,
      `DELETE /v2/pre-recorded/${JOB_ID}`,
    ])
    expect(vendor.calls[0]?.headers['x-gladia-key']).toBe('a-key')
  })
})
