import { openAsBlob } from 'node:fs'
import { type Static, Type } from 'typebox'
import { FormData } from 'undici'
import type { VendorSettings } from '../../../../platform/config/vendors.ts'
import { type VendorAdapter, invalidResult, type Submission } from './engine.ts'
import { foreign, ISO_CODES } from './languages.ts'
import { CALL_MS, callVendor, TRANSCRIPT_MS, uploadMs } from './vendor-http.ts'
import { jobRefused, problemOf, required } from './vendor-problem.ts'
import { following, type Word } from './word.ts'

const Id = Type.String({ minLength: 1, maxLength: 255 })
const Uploaded = Type.Object({ audio_url: Type.String({ minLength: 1, maxLength: 2000 }) })
const Created = Type.Object({ id: Id })
const Utterances = Type.Array(
  Type.Object({
    start: Type.Number(),
    end: Type.Number(),
    text: Type.String(),
    speaker: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    words: Type.Optional(
      Type.Array(Type.Object({ word: Type.String(), start: Type.Number(), end: Type.Number() })),
    ),
  }),
)
const Job = Type.Object({
  status: Type.String(),
  /** An HTTP status. */
  error_code: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  result: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        transcription: Type.Optional(Type.Object({ utterances: Utterances })),
        translation: Type.Optional(
          Type.Object({
            results: Type.Union([
              Type.Null(),
              Type.Array(Type.Object({ utterances: Type.Optional(Utterances) })),
            ]),
          }),
        ),
      }),
    ]),
  ),
})
const Listed = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Id,
      // Other users of the account may write any value here.
      custom_metadata: Type.Optional(
        Type.Union([Type.Null(), Type.Object({ reference: Type.Optional(Type.Unknown()) })]),
      ),
    }),
  ),
})

/** Pages of the job list to search. A job in doubt was sent only moments ago. */
const PAGE = 100
const PAGES_MAX = 10

/**
 * Gladia, "Pre-recorded" (API v2). A file is uploaded and transcribed with our reference in its `custom_metadata`, and
 * polled by its id. Speaker diarization, translation.
 */
export const gladia: VendorAdapter = {
  create(settings) {
    const { languages } = settings
    const account = accountOf(settings)
    const { read, jobAt } = account
    return {
      name: 'gladia',
      capabilities: {
        languages,
        translatesFrom: foreign(languages),
        audioMaxSec: 134 * 60,
        audioMaxBytes: 1_000_000_000,
        speakerLabels: true,
        audioFormat: 'flac',
      },
      async submit(submission) {
        const audioUrl = await upload(account, submission)
        return { kind: 'accepted', providerId: await order(account, submission, audioUrl) }
      },
      async poll({ providerId, signal, ...spoken }) {
        const call = { ...read, url: jobAt(providerId), answer: Job, timeoutMs: TRANSCRIPT_MS }
        const job = await callVendor({ ...call, signal })
        if (job?.status === 'queued' || job?.status === 'processing') return { kind: 'pending' }
        if (job?.status === 'done') return { kind: 'done', words: wordsOf(job, spoken) }
        const problem = problemOf({ status: job?.error_code ?? 500 })
        if (problem.isTransient) return { kind: 'lost' }
        throw jobRefused(problem.reason)
      },
      find: (reference, signal) => findByReference(account, reference, signal),
      // The vendor refuses (403) while it processes the job. The cancelling job retries.
      async cancel(providerId, signal) {
        const call = { ...read, url: jobAt(providerId), method: 'DELETE' } as const
        await callVendor({ ...call, answer: Type.Unknown(), signal })
      },
    }
  },
}

type Account = ReturnType<typeof accountOf>

function accountOf({ url, apiKey, model }: VendorSettings) {
  return {
    model,
    files: `${url}/v2/upload`,
    jobs: `${url}/v2/pre-recorded`,
    jobAt: (jobId: string) => `${url}/v2/pre-recorded/${encodeURIComponent(jobId)}`,
    read: { headers: { 'x-gladia-key': apiKey }, timeoutMs: CALL_MS },
  }
}

async function upload({ read, files }: Account, submission: Submission): Promise<string> {
  const { path, durationSec, signal } = submission
  const body = new FormData()
  body.set('audio', await openAsBlob(path, { type: 'audio/flac' }), 'audio.flac')
  const call = { ...read, url: files, method: 'POST', body, answer: Uploaded } as const
  return required(await callVendor({ ...call, timeoutMs: uploadMs(durationSec), signal })).audio_url
}

async function order(
  { read, jobs, model }: Account,
  { reference, language, translate, signal }: Submission,
  audioUrl: string,
): Promise<string> {
  const body = JSON.stringify({
    audio_url: audioUrl,
    ...(model !== '' && { model }),
    language_config: { languages: [ISO_CODES[language] ?? language], code_switching: false },
    diarization: true,
    custom_metadata: { reference },
    ...(translate && { translation: true, translation_config: { target_languages: ['en'] } }),
  })
  const headers = { ...read.headers, 'content-type': 'application/json' }
  const call = { ...read, url: jobs, method: 'POST', headers, body, answer: Created } as const
  return required(await callVendor({ ...call, signal })).id
}

/** Filter here, because the vendor's documentation and its client disagree on the filter. */
async function findByReference({ read, jobs }: Account, reference: string, signal: AbortSignal) {
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const url = `${jobs}?limit=${PAGE}&offset=${page * PAGE}`
    const listed = await callVendor({ ...read, url, answer: Listed, signal })
    const items = listed?.items ?? []
    const own = items.find((each) => each.custom_metadata?.reference === reference)
    if (own !== undefined || items.length < PAGE) return own?.id
  }
  return undefined
}

function wordsOf(
  { result }: Static<typeof Job>,
  { language, translate }: { language: string; translate: boolean },
): Word[] {
  const spoken = translate ? 'en-US' : language
  const said = translate
    ? result?.translation?.results?.[0]?.utterances
    : result?.transcription?.utterances
  if (said === undefined) throw invalidResult('the engine answered without what was asked for')
  return said.flatMap(({ words, text, start, end, speaker }) => {
    const who = typeof speaker === 'number' ? `Speaker ${speaker + 1}` : null
    const parts = words && words.length > 0 ? words : [{ word: text, start, end }]
    // Words may include their own spaces. Parts of words do not have any.
    const areSpaced = parts.some(({ word }, index) => index > 0 && word.startsWith(' '))
    return parts.map(({ word, start: startSec, end: endSec }, index) => ({
      text: areSpaced && index > 0 ? word : following(word.trim(), spoken),
      startSec,
      endSec,
      speaker: who,
    }))
  })
}
