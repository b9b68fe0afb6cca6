import { openAsBlob } from 'node:fs'
import { FormData } from 'undici'
import type { VendorSettings } from '../../../../platform/config/vendors.ts'
import { type VendorAdapter, invalidResult, type Submission } from './engine.ts'
import { foreign, ISO_CODES } from './languages.ts'
import { at, idAt, listAt, numberAt, textAt } from './read-fields.ts'
import { CALL_MS, callVendor, TRANSCRIPT_MS, uploadMs } from './vendor-http.ts'
import { jobRefused, problemOf, required } from './vendor-problem.ts'
import { type HeardWord, spaced } from './word.ts'

interface Job {
  status: string
  /** An HTTP status. */
  errorCode: number | null
  transcribed: readonly unknown[] | undefined
  translated: readonly unknown[] | undefined
}

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
    const { common, jobAt } = account
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
        const call = { ...common, url: jobAt(providerId), read: jobIn, timeoutMs: TRANSCRIPT_MS }
        const job = await callVendor({ ...call, signal })
        if (job?.status === 'queued' || job?.status === 'processing') return { kind: 'pending' }
        if (job?.status === 'done') return { kind: 'done', words: wordsOf(job, spoken) }
        const problem = problemOf({ status: job?.errorCode ?? 500 })
        if (problem.isTransient) return { kind: 'lost' }
        throw jobRefused(problem.reason)
      },
      find: (reference, signal) => findByReference(account, reference, signal),
      // The vendor refuses (403) while it processes the job. The cancelling job retries.
      async cancel(providerId, signal) {
        const call = { ...common, url: jobAt(providerId), method: 'DELETE' } as const
        await callVendor({ ...call, read: () => null, signal })
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
    common: { headers: { 'x-gladia-key': apiKey }, timeoutMs: CALL_MS },
  }
}

async function upload({ common, files }: Account, submission: Submission): Promise<string> {
  const { path, durationSec, signal } = submission
  const body = new FormData()
  body.set('audio', await openAsBlob(path, { type: 'audio/flac' }), 'audio.flac')
  const call = { ...common, url: files, method: 'POST', body, read: addressIn } as const
  return required(await callVendor({ ...call, timeoutMs: uploadMs(durationSec), signal }))
}

async function order(
  { common, jobs, model }: Account,
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
  const headers = { ...common.headers, 'content-type': 'application/json' }
  const call = { ...common, url: jobs, method: 'POST', headers, body, read: createdIn } as const
  return required(await callVendor({ ...call, signal }))
}

/** Filter here, because the vendor's documentation and its client disagree on the filter. */
async function findByReference({ common, jobs }: Account, reference: string, signal: AbortSignal) {
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const url = `${jobs}?limit=${PAGE}&offset=${page * PAGE}`
    const items = (await callVendor({ ...common, url, read: itemsIn, signal })) ?? []
    // Other users of the account may write any value here.
    const own = items.find((each) => at(each, 'custom_metadata', 'reference') === reference)
    if (own !== undefined || items.length < PAGE) return idAt(own, 'id')
  }
  return undefined
}

const addressIn = (answer: unknown) => textAt(answer, 'audio_url') ?? undefined
const createdIn = (answer: unknown) => idAt(answer, 'id')
const itemsIn = (answer: unknown) => listAt(answer, 'items')

function jobIn(answer: unknown): Job | undefined {
  const status = textAt(answer, 'status')
  if (status === null) return undefined
  return {
    status,
    errorCode: numberAt(answer, 'error_code'),
    transcribed: listAt(answer, 'result', 'transcription', 'utterances'),
    translated: listAt(answer, 'result', 'translation', 'results', 0, 'utterances'),
  }
}

function wordsOf(
  { transcribed, translated }: Job,
  { language, translate }: { language: string; translate: boolean },
): readonly HeardWord[] {
  const said = translate ? translated : transcribed
  if (said === undefined) throw invalidResult('the engine answered without what was asked for')
  return spaced(said.map(wordsIn), translate ? 'en-US' : language)
}

function wordsIn(utterance: unknown): HeardWord[] {
  const speaker = numberAt(utterance, 'speaker')
  const who = speaker === null ? null : `Speaker ${speaker + 1}`
  const words = listAt(utterance, 'words') ?? []
  if (words.length === 0) return [wordOf(utterance, { name: 'text', speaker: who })]
  return words.map((word) => wordOf(word, { name: 'word', speaker: who }))
}

function wordOf(
  timed: unknown,
  { name, speaker }: { name: 'text' | 'word'; speaker: string | null },
): HeardWord {
  return {
    text: textAt(timed, name),
    startSec: numberAt(timed, 'start'),
    endSec: numberAt(timed, 'end'),
    speaker,
    confidence: numberAt(timed, 'confidence'),
  }
}
