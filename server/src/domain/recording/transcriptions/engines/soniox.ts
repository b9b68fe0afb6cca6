import { openAsBlob } from 'node:fs'
import { type Static, Type } from 'typebox'
import { FormData } from 'undici'
import type { VendorSettings } from '../../../../platform/config/vendors.ts'
import type { VendorAdapter, FailureReason, Submission } from './engine.ts'
import { ISO_CODES } from './languages.ts'
import { CALL_MS, callVendor, TRANSCRIPT_MS, uploadMs } from './vendor-http.ts'
import { jobRefused, type Refusals, required } from './vendor-problem.ts'
import type { Word } from './word.ts'

const Id = Type.String({ minLength: 1, maxLength: 255 })
const Created = Type.Object({ id: Id })
const Status = Type.Object({
  status: Type.String(),
  error_type: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  file_id: Type.Optional(Type.Union([Id, Type.Null()])),
})
const Items = Type.Array(
  Type.Object({
    id: Id,
    client_reference_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
)
/** A page of transcriptions or of files. */
const Listed = Type.Object({
  next_page_cursor: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  transcriptions: Type.Optional(Items),
  files: Type.Optional(Items),
})
const Transcript = Type.Object({
  tokens: Type.Array(
    Type.Object({
      text: Type.String(),
      start_ms: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      end_ms: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      speaker: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      translation_status: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
})
/** Pages of a list to search. The vendor keeps 2,000 items unless another number was agreed on. */
const PAGES_MAX = 10

const REFUSALS: Refusals = [
  [/maximum file size/i, 'unsupported_audio'],
  [/_(balance|budget)_exhausted/, 'quota_exceeded'],
]

/**
 * Soniox, "Async transcription" (Public API 1.0.0). A file is uploaded and transcribed under our `client_reference_id`, and
 * the transcription is polled by its id. Both are deleted afterwards, because the vendor deletes nothing automatically.
 */
export const soniox: VendorAdapter = {
  create(settings) {
    const { languages } = settings
    const account = accountOf(settings)
    return {
      name: 'soniox',
      capabilities: {
        languages,
        // Translates between any two of its languages. Text that is already English stays as it is.
        translatesFrom: languages,
        audioMaxSec: 299 * 60,
        audioMaxBytes: 1_000_000_000,
        speakerLabels: true,
        audioFormat: 'flac',
      },
      async submit(submission) {
        const fileId = await upload(account, submission)
        return { kind: 'accepted', providerId: await order(account, submission, fileId) }
      },
      async poll({ providerId, translate, signal }) {
        const job = await findJob(account, providerId, signal)
        if (job?.status === 'queued' || job?.status === 'processing') return { kind: 'pending' }
        const refused = reasonOf(job?.error_type ?? '')
        if (refused !== undefined) throw jobRefused(refused)
        if (job?.status !== 'completed') return { kind: 'lost' }
        const url = `${account.jobAt(providerId)}/transcript`
        const call = { ...account.read, url, timeoutMs: TRANSCRIPT_MS, signal }
        const heard = await callVendor({ ...call, answer: Transcript })
        if (heard === undefined) return { kind: 'lost' }
        return { kind: 'done', words: wordsOf(heard, translate) }
      },
      async find(reference, signal) {
        const jobId = await findOwn(account, { url: account.jobs, reference, signal })
        if (jobId !== undefined) return jobId
        // A file whose sender died before ordering the transcription. Only this call would ever delete it.
        const fileId = await findOwn(account, { url: account.files, reference, signal })
        if (fileId !== undefined) await remove(account, account.fileAt(fileId), signal)
        return undefined
      },
      // The vendor refuses (409) while it processes the job. The cancelling job retries.
      async cancel(providerId, signal) {
        const job = await findJob(account, providerId, signal)
        await remove(account, account.jobAt(providerId), signal)
        if (job?.file_id) await remove(account, account.fileAt(job.file_id), signal)
      },
    }
  },
}

type Account = ReturnType<typeof accountOf>

function accountOf({ url, apiKey, model }: VendorSettings) {
  const headers = { authorization: `Bearer ${apiKey}` }
  return {
    model,
    files: `${url}/v1/files`,
    jobs: `${url}/v1/transcriptions`,
    fileAt: (fileId: string) => `${url}/v1/files/${encodeURIComponent(fileId)}`,
    jobAt: (jobId: string) => `${url}/v1/transcriptions/${encodeURIComponent(jobId)}`,
    read: { headers, timeoutMs: CALL_MS, refusals: REFUSALS },
  }
}

async function upload({ read, files }: Account, submission: Submission): Promise<string> {
  const { path, durationSec, reference, signal } = submission
  const body = new FormData()
  body.set('file', await openAsBlob(path, { type: 'audio/flac' }), 'audio.flac')
  body.set('client_reference_id', reference)
  const call = { ...read, url: files, method: 'POST', body, answer: Created } as const
  return required(await callVendor({ ...call, timeoutMs: uploadMs(durationSec), signal })).id
}

async function order(account: Account, submission: Submission, fileId: string): Promise<string> {
  const { read, jobs, model } = account
  const { reference, language, translate, signal } = submission
  const body = JSON.stringify({
    model,
    file_id: fileId,
    language_hints: [ISO_CODES[language] ?? language],
    enable_speaker_diarization: true,
    client_reference_id: reference,
    ...(translate && { translation: { type: 'one_way', target_language: 'en' } }),
  })
  const headers = { ...read.headers, 'content-type': 'application/json' }
  const call = { ...read, url: jobs, method: 'POST', headers, body, answer: Created } as const
  try {
    return required(await callVendor({ ...call, signal })).id
  } catch (error) {
    // The next attempt uploads the file again. If the vendor had accepted this one after all, its job fails without the
    // file.
    await remove(account, account.fileAt(fileId), signal).catch(() => undefined)
    throw error
  }
}

function findJob({ read, jobAt }: Account, jobId: string, signal: AbortSignal) {
  return callVendor({ ...read, url: jobAt(jobId), answer: Status, signal })
}

interface Search {
  /** The address of the list. */
  url: string
  reference: string
  signal: AbortSignal
}

async function findOwn({ read }: Account, search: Search): Promise<string | undefined> {
  const { url, reference, signal } = search
  let cursor = ''
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const call = { ...read, url: `${url}?limit=1000${cursor}`, timeoutMs: TRANSCRIPT_MS, signal }
    const listed = await callVendor({ ...call, answer: Listed })
    const items = listed?.transcriptions ?? listed?.files ?? []
    const own = items.find((each) => each.client_reference_id === reference)
    const next = listed?.next_page_cursor
    if (own !== undefined || !next) return own?.id
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
  return undefined
}

async function remove({ read }: Account, url: string, signal: AbortSignal): Promise<void> {
  await callVendor({ ...read, url, method: 'DELETE', answer: Type.Unknown(), signal })
}

function reasonOf(errorType: string): FailureReason | undefined {
  return REFUSALS.find(([says]) => says.test(errorType))?.[1]
}

/**
 * Tokens are parts of words, with their spaces. A series of original tokens is followed by its translation, which has no
 * times, so the translation becomes one line with the times of the series.
 */
function wordsOf({ tokens }: Static<typeof Transcript>, translate: boolean): Word[] {
  const words: Word[] = []
  let span = { startSec: 0, endSec: 0 }
  let before: string | null | undefined
  for (const { text, start_ms, end_ms, speaker, translation_status: status } of tokens) {
    if (status !== 'translation' && typeof start_ms === 'number' && typeof end_ms === 'number') {
      const isLonger = translate && status === 'original' && before === 'original'
      span = { startSec: isLonger ? span.startSec : start_ms / 1000, endSec: end_ms / 1000 }
    }
    const line = status === 'translation' && before === 'translation' ? words.pop() : undefined
    before = status
    // Tokens that are already English (`none`) belong to the original and to the translation.
    if (status === (translate ? 'original' : 'translation')) continue
    const who = speaker ? `Speaker ${speaker}` : null
    words.push({ text: `${line?.text ?? ''}${text}`, ...span, speaker: line?.speaker ?? who })
  }
  return words
}
