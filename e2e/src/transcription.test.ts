import { RESULT_URL_LIFE_SEC } from '@interview-room/contract/limits.ts'
import type { RecordingBody, TranscriptionBody } from '@interview-room/contract/recordings.ts'
import type { RtcClient } from '@interview-room/media-server/test/support/rtc-client.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { compareWords, wordsOf } from '@interview-room/server/src/testing/spoken-words.ts'
import { readCues, voicesOf } from '@interview-room/server/src/testing/vtt.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiParticipant } from './harness/api-participant.ts'
import { untilEnded, untilRecorded } from './harness/recorded.ts'
import { findOrInstallSpeech, SPEECH_RATE, speak } from './harness/speech.ts'
import { AS_BY_DEFAULT, type RoleWord } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { LATER_MS, SOON_MS, waitFor } from './harness/wait.ts'

const SENTENCES = [
  'Good morning and thank you for coming to talk with us today.',
  'The children like to play in the garden after dinner.',
  'What do you think about the color of this new product?',
  'I would like to see it in a store near my house.',
  'Some people say the price is too high for them.',
  'How many people live in your house with you?',
  'My sister works in the city every day of the week.',
  'We need more time to think about the question.',
  'The small package was easy to open with one hand.',
  'Please tell me what you remember about the picture.',
]
/** A sentence takes three to four seconds. */
const INTERVIEW = IS_FULL_RUN ? SENTENCES : SENTENCES.slice(0, 5)
const SECONDS_MIN = 2.5 * INTERVIEW.length
const QUESTION = SENTENCES.slice(0, 2)
const ANSWER = SENTENCES.slice(6, 8)
/** The engine itself mishears 3 of 100 words of this voice, on a clean file. */
const PRESENT_MIN = 0.9
/** Time from speech to file: nobody speaks, while the last words are on their way. */
const AFTER_SEC = 3

beforeAll(findOrInstallSpeech)

// Without settings, the service finds the transcription program automatically.
const env = useTestEnvironment({ ownService: {}, hasBrowser: false, hasReceiver: true })

interface Speaker {
  client: RtcClient
  speech: Int16Array
}

/** A person who enters with the microphone off, and has these sentences to say once it is on. */
async function enterToSay(
  sentences: readonly string[],
  who: { roomId: string; role: RoleWord; name: string },
): Promise<Speaker> {
  const speech = speak(sentences)
  const client = await env.connectByHand(who)
  await client.publishCamera()
  return { client, speech }
}

const byHand = (roomId: string, role: RoleWord) =>
  env.enterByHand({ roomId, role, name: `API client, ${role}` })

/** Turns everybody's microphone on, and waits until the speech is recorded. */
async function untilSaid(inside: ApiParticipant, speakers: readonly Speaker[]): Promise<void> {
  for (const { client, speech } of speakers) await client.say(speech, SPEECH_RATE)
  const begun = (await inside.snapshot()).now
  const since = await untilRecorded(inside, 0)
  const beforeSec = (Date.parse(begun) - since.getTime()) / 1000
  const longestSec = Math.max(...speakers.map(({ speech }) => speech.length / SPEECH_RATE))
  await untilRecorded(inside, beforeSec + longestSec + AFTER_SEC)
}

async function untilAvailable(roomId: string): Promise<RecordingBody> {
  const recording = await untilEnded(env.tenant, roomId)
  expect(recording?.status).toBe('available')
  return recording as RecordingBody
}

async function transcriptionsOf({ id }: RecordingBody): Promise<TranscriptionBody[]> {
  const answer = await env.tenant.call('GET', `/recordings/${id}/transcriptions`)
  return ((await answer.json()) as { data: { items: TranscriptionBody[] } }).data.items
}

/** Waits for the transcription, which starts automatically. */
async function untilTranscribed(recording: RecordingBody): Promise<TranscriptionBody> {
  return waitFor(
    async () => {
      const [only, ...others] = await transcriptionsOf(recording)
      if (others.length > 0) throw new Error('there are several transcriptions')
      return only !== undefined && /^(done|.*error)$/.test(only.status) ? only : undefined
    },
    { what: 'the transcription has ended', timeoutMs: LATER_MS },
  )
}

const deliveredFor = ({ id }: TranscriptionBody) =>
  env.receiver.received.filter(
    ({ type, data }) => type === 'transcription.completed' && data['transcription_id'] === id,
  )

async function download({ result_url: url }: TranscriptionBody): Promise<string> {
  const answer = await fetch(String(url), { signal: AbortSignal.timeout(SOON_MS) })
  expect(answer.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  return answer.text()
}

describe('an interview transcribed by a real engine', () => {
  let recording: RecordingBody
  let done: TranscriptionBody

  test('is transcribed automatically: done, and reported once', async () => {
    expect(env.service.output()).toContain('found on this machine: pocketsphinx_continuous')
    const { id: roomId } = await env.tenant.book({
      room: { ...AS_BY_DEFAULT, transcription_language: 'en-US' },
    })
    const moderator = await byHand(roomId, 'moderator')
    const speaker = await enterToSay(INTERVIEW, { roomId, role: 'panelist', name: 'Pana' })
    await untilSaid(moderator, [speaker])
    await env.tenant.close(roomId)
    await speaker.client.leave()
    recording = await untilAvailable(roomId)

    done = await untilTranscribed(recording)
    expect(done).toMatchObject({ status: 'done', language: 'en-US', kind: 'transcription' })
    const delivered = await waitFor(() => deliveredFor(done).length > 0 && deliveredFor(done), {
      what: 'W6 reports the transcript',
    })
    // It may come twice, under one id.
    expect(new Set(delivered.map(({ id }) => id)).size).toBe(1)
    expect(delivered[0]).toMatchObject({
      isVerified: true,
      data: {
        recording_id: recording.id,
        room_id: roomId,
        status: 'done',
        language: 'en-US',
        failure_reason: null,
      },
    })
  })

  test('has at least nine of ten spoken words in a valid WebVTT, at the time they were said', async () => {
    const expires = Number(new URL(String(done.result_url)).searchParams.get('expires'))
    expect(expires - Date.now() / 1000).toBeLessThanOrEqual(RESULT_URL_LIFE_SEC)
    const vtt = await download(done)
    const { cues, errors } = readCues(vtt)
    expect(errors).toEqual([])
    const said = INTERVIEW.flatMap(wordsOf)
    const written = cues.flatMap(({ text }) => wordsOf(text))
    const { present, errorRate } = compareWords(said, written)
    process.stdout.write(`words present: ${present}, word error rate: ${errorRate}\n`)
    expect(present, vtt).toBeGreaterThanOrEqual(PRESENT_MIN)
    const [first, last] = [cues[0], cues.at(-1)]
    expect(last?.endTime).toBeLessThanOrEqual(Number(recording.duration_sec) + 0.1)
    expect(Number(last?.endTime) - Number(first?.startTime)).toBeGreaterThan(SECONDS_MIN)
  })

  test('is deleted with its recording', async () => {
    const address = String(done.result_url)
    expect((await env.tenant.call('DELETE', `/recordings/${recording.id}`)).status).toBe(204)
    expect((await env.tenant.call('GET', `/transcriptions/${done.id}`)).status).toBe(404)
    await waitFor(async () => (await fetch(address)).status === 404, {
      what: 'the transcript itself is deleted',
    })
  })
})

describe('an individual recording of two people who speak at the same time', () => {
  test.runIf(IS_FULL_RUN)(
    'is transcribed person by person: lines carry role and name',
    async () => {
      const { id: roomId } = await env.tenant.book({
        room: { transcription_language: 'en-US', archive_mode: 'manual' },
      })
      const observer = await byHand(roomId, 'observer')
      const moderator = await byHand(roomId, 'moderator')
      const speakers = [
        await enterToSay(QUESTION, { roomId, role: 'moderator', name: 'Mori & co' }),
        await enterToSay(ANSWER, { roomId, role: 'panelist', name: '花子 <Pana>' }),
      ]
      await moderator.post('/recording/start', { output_mode: 'individual' })
      await untilRecorded(observer, 0)
      await untilSaid(observer, speakers)
      await env.tenant.close(roomId)
      const recording = await untilAvailable(roomId)
      const done = await untilTranscribed(recording)
      expect(done.status).toBe('done')

      const { cues, errors } = readCues(await download(done))
      expect(errors).toEqual([])
      const voices = cues.flatMap(voicesOf)
      const wordsIn = (role: string) =>
        voices.filter(({ classes }) => classes[0] === role).flatMap(({ text }) => wordsOf(text))
      for (const [role, sentences] of [
        ['moderator', QUESTION],
        ['panelist', ANSWER],
      ] as const) {
        const { present } = compareWords(sentences.flatMap(wordsOf), wordsIn(role))
        expect(present, role).toBeGreaterThanOrEqual(PRESENT_MIN)
      }
      expect(new Set(voices.map(({ name }) => name))).toEqual(new Set(['Mori & co', '花子 <Pana>']))
    },
  )
})
