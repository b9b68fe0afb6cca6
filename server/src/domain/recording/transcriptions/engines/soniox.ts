import { openAsBlob } from 'node:fs'
import { FormData } from 'undici'
import type { VendorSettings } from '../../../../platform/config/vendors.ts'
import type { VendorAdapter, FailureReason, Submission } from './engine.ts'
import { ISO_CODES } from './languages.ts'
import { idAt, listAt, numberAt, secondsAt, textAt } from './read-fields.ts'
import { CALL_MS, callVendor, TRANSCRIPT_MS, uploadMs } from './vendor-http.ts'
import { jobRefused, type Refusals, required } from './vendor-problem.ts'
import type { HeardWord } from './word.ts'

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
        const refused = reasonOf(job?.errorType ?? '')
        if (refused !== undefined) throw jobRefused(refused)
        if (job?.status !== 'completed') return { kind: 'lost' }
        const url = `${account.jobAt(providerId)}/transcript`
        const call = { ...account.common, url, timeoutMs: TRANSCRIPT_MS, signal }
        const heard = await callVendor({ ...call, read: tokensIn })
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
        if (job?.fileId) await remove(account, account.fileAt(job.fileId), signal)
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
    common: { headers, timeoutMs: CALL_MS, refusals: REFUSALS },
  }
}

async function upload({ common, files }: Account, submission: Submission): Promise<string> {
  const { path, durationSec, reference, signal } = submission
  const body = new FormData()
  body.set('file', await openAsBlob(path, { type: 'audio/flac' }), 'audio.flac')
  body.set('client_reference_id', reference)
  const call = { ...common, url: files, method: 'POST', body, read: createdIn } as const
  return required(await callVendor({ ...call, timeoutMs: uploadMs(durationSec), signal }))
}

async function order(account: Account, submission: Submission, fileId: string): Promise<string> {
  const { common, jobs, model } = account
  const { reference, language, translate, signal } = submission
  const body = JSON.stringify({
    model,
    file_id: fileId,
    language_hints: [ISO_CODES[language] ?? language],
    enable_speaker_diarization: true,
    client_reference_id: reference,
    ...(translate && { translation: { type: 'one_way', target_language: 'en' } }),
  })
  const headers = { ...common.headers, 'content-type': 'application/json' }
  const call = { ...common, url: jobs, method: 'POST', headers, body, read: createdIn } as const
  try {
    return required(await callVendor({ ...call, signal }))
  } catch (error) {
    // The next attempt uploads the file again. If the vendor had accepted this one after all, its job fails without the
    // file.
    await remove(account, account.fileAt(fileId), signal).catch(() => undefined)
    throw error
  }
}

function findJob({ common, jobAt }: Account, jobId: string, signal: AbortSignal) {
  return callVendor({ ...common, url: jobAt(jobId), read: jobIn, signal })
}

interface Search {
  /** The address of the list. */
  url: string
  reference: string
  signal: AbortSignal
}

async function findOwn({ common }: Account, search: Search): Promise<string | undefined> {
  const { url, reference, signal } = search
  let cursor = ''
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const call = { ...common, url: `${url}?limit=1000${cursor}`, timeoutMs: TRANSCRIPT_MS, signal }
    const listed = await callVendor({ ...call, read: pageIn })
    const own = listed?.items.find((each) => textAt(each, 'client_reference_id') === reference)
    const next = listed?.next
    if (own !== undefined || !next) return idAt(own, 'id')
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
  return undefined
}

async function remove({ common }: Account, url: string, signal: AbortSignal): Promise<void> {
  await callVendor({ ...common, url, method: 'DELETE', read: () => null, signal })
}

const createdIn = (answer: unknown) => idAt(answer, 'id')
const tokensIn = (answer: unknown) => listAt(answer, 'tokens')

function jobIn(answer: unknown) {
  const status = textAt(answer, 'status')
  if (status === null) return undefined
  return { status, errorType: textAt(answer, 'error_type'), fileId: idAt(answer, 'file_id') }
}

/** A page of transcriptions or of files. */
function pageIn(answer: unknown) {
  const items = listAt(answer, 'transcriptions') ?? listAt(answer, 'files')
  return items && { items, next: textAt(answer, 'next_page_cursor') }
}

function reasonOf(errorType: string): FailureReason | undefined {
  return REFUSALS.find(([says]) => says.test(errorType))?.[1]
}

/**
 * Tokens are parts of words, with their spaces. A series of original tokens is followed by its translation, which has no
 * times, so the translation becomes one line with the times of the series.
 */
function wordsOf(tokens: readonly unknown[], translate: boolean): HeardWord[] {
  const words: HeardWord[] = []
  let span: Pick<HeardWord, 'startSec' | 'endSec'> = { startSec: null, endSec: null }
  let before: string | null | undefined
  for (const token of tokens) {
    const status = textAt(token, 'translation_status')
    if (status !== 'translation') {
      const isLonger = translate && status === 'original' && before === 'original'
      const startSec = isLonger ? span.startSec : secondsAt(token, 'start_ms')
      span = { startSec, endSec: secondsAt(token, 'end_ms') }
    }
    const line = status === 'translation' && before === 'translation' ? words.pop() : undefined
    before = status
    // Tokens that are already English (`none`) belong to the original and to the translation.
    if (status === (translate ? 'original' : 'translation')) continue
    const who = textAt(token, 'speaker') || numberAt(token, 'speaker')
    words.push({
      text: `${line?.text ?? ''}${textAt(token, 'text') ?? ''}`,
      ...span,
      speaker: line?.speaker ?? (who === null ? null : `Speaker ${who}`),
      confidence: numberAt(token, 'confidence'),
    })
  }
  return words
}
