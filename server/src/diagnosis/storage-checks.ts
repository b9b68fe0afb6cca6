import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Check, fail, ok, type Outcome, warn } from '../platform/checks/check.ts'
import { networkFault, reasonOf } from '../platform/checks/reasons.ts'
import type { SignedUrl, Storage } from '../platform/ports/storage.ts'
import { storageFault } from '../platform/storage/storage-fault.ts'
import type { Diagnosis } from './diagnosis.ts'

const ANSWER_MS = 10_000
const URL_LIFE_SEC = 60
const TEXT = 'npm run doctor wrote this, and deletes it\n'
const MIME = 'text/plain'
const NO_TENANT = '00000000-0000-0000-0000-000000000000'
const RIGHTS =
  'Check S3_BUCKET, S3_ENDPOINT, the keys and the rights in docs/storage-and-files.md#bucket; for a folder, STORAGE_DIR.'
const SIGNED =
  'Check S3_PUBLIC_ENDPOINT, S3_FORCE_PATH_STYLE and S3_REGION; for a folder, that PUBLIC_URL leads to the service.'
const EGRESS_KEYS =
  'Set S3_EGRESS_ACCESS_KEY_ID and S3_EGRESS_SECRET_ACCESS_KEY to keys that may only put objects and do not end.'
const CORS =
  'Add a CORS rule for the methods GET and PUT, every header and the origin of PUBLIC_URL to the bucket.'

type StorageDeps = Pick<Diagnosis, 'storage' | 'config' | 'stored' | 'uploaded'>

const when = { needs: ['storage:put'] } as const

/** An object is stored, read back as a browser does, and another uploaded as a browser does; both are deleted. */
export const STORAGE_CHECKS: readonly Check<StorageDeps>[] = [
  {
    name: 'storage:put',
    ask: ({ storage, stored }) => checkPut(storage, stored),
    passes: 'an object can be stored and is found again',
    advice: RIGHTS,
  },
  {
    name: 'storage:signedGet',
    ask: ({ storage, stored }) => checkSignedGet(storage, stored),
    advice: SIGNED,
    when,
  },
  // An address that answers no download is named once.
  {
    name: 'storage:signedPut',
    ask: checkSignedPut,
    advice: SIGNED,
    when: { needs: ['storage:signedGet'] },
  },
  { name: 'storage:cors', ask: checkCors, advice: CORS, when: { needs: ['storage:signedGet'] } },
  {
    name: 'storage:delete',
    ask: ({ storage }) => checkDelete(storage),
    passes: 'objects can be deleted',
    advice: RIGHTS,
    when,
  },
  {
    name: 'storage:egressKeys',
    ask: checkEgressKeys,
    passes: 'recordings are written with lasting keys',
    advice: EGRESS_KEYS,
  },
]

export function newKey(): string {
  return `${NO_TENANT}/doctor/${randomUUID()}.txt`
}

async function checkPut(storage: Storage, key: string): Promise<Outcome | undefined> {
  try {
    await storage.check()
  } catch (error) {
    return fail(inWords(reasonOf(error)))
  }
  const put = storage.put(key, Readable.from([Buffer.from(TEXT)]), { mime: MIME })
  const stored = await put.catch((error: unknown) => reasonOf(error))
  if (typeof stored === 'string') return fail(inWords(stored))
  const { sizeBytes } = stored
  const found = await storage.head(key)
  if (found?.sizeBytes === sizeBytes) return undefined
  return fail('an object that was stored is not found again')
}

function inWords(reason: string): string {
  const words = storageFault(reason)
  return words === undefined
    ? (networkFault(reason, 'S3_ENDPOINT') ?? reason)
    : `${words} (${reason})`
}

async function checkSignedGet(storage: Storage, key: string): Promise<Outcome> {
  const { url } = await storage.signGet(key, {
    expiresInSec: URL_LIFE_SEC,
    fileName: 'doctor.txt',
    disposition: 'attachment',
    mime: MIME,
  })
  const answer = await ask(url, {})
  const body = await answer.text()
  const { host } = new URL(url)
  if (answer.status !== 200) {
    return fail(`a signed address at ${host} answers ${answer.status} to a download`)
  }
  return body === TEXT
    ? ok(`a signed address at ${host} serves the object`)
    : fail(`a signed address at ${host} serves something else`)
}

async function checkSignedPut({ storage, config, uploaded }: StorageDeps): Promise<Outcome> {
  const { url } = await signUpload(storage, uploaded)
  const answer = await ask(url, {
    method: 'PUT',
    body: TEXT,
    headers: { 'content-type': MIME, origin: originOf(config.publicUrl) },
  })
  await answer.body?.cancel()
  const { host } = new URL(url)
  return answer.ok
    ? ok(`a signed address at ${host} takes an upload`)
    : fail(`a signed address at ${host} answers ${answer.status} to an upload`)
}

/** Sends the preflight request of a browser's upload from a page, and checks the answer. */
async function checkCors({ storage, config, uploaded }: StorageDeps): Promise<Outcome> {
  const { url } = await signUpload(storage, uploaded)
  const origin = originOf(config.publicUrl)
  if (originOf(url) === origin) return ok('files and pages have the same origin')
  const answer = await ask(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    },
  })
  await answer.body?.cancel()
  const problem = preflightProblem(answer, origin)
  if (problem === undefined) return ok(`browsers may upload from pages of ${origin}`)
  return fail(`browsers may not upload from pages of ${origin}: ${problem}`)
}

function preflightProblem({ ok: isOk, status, headers }: Response, origin: string) {
  if (!isOk) return `the preflight gets ${status}`
  const allowed = headers.get('access-control-allow-origin')
  if (allowed !== '*' && allowed !== origin) return `allowed is the origin ${allowed ?? '(none)'}`
  const lists = (name: string, wanted: string) =>
    (headers.get(name) ?? '')
      .split(',')
      .map((each) => each.trim().toLowerCase())
      .some((each) => each === wanted || each === '*')
  if (!lists('access-control-allow-methods', 'put')) return 'the method PUT is not allowed'
  if (!lists('access-control-allow-headers', 'content-type')) {
    return 'the header content-type is not allowed'
  }
  return undefined
}

async function checkDelete(storage: Storage): Promise<Outcome | undefined> {
  const key = newKey()
  await storage.put(key, Readable.from([Buffer.from(TEXT)]), { mime: MIME })
  await storage.delete([key])
  if ((await storage.head(key)) === undefined) return undefined
  return fail('a deleted object is still found')
}

/** Keys of a role end within hours. An egress gets them once, and a recording that it cannot store at its end is lost. */
async function checkEgressKeys({ storage, config }: StorageDeps): Promise<Outcome | undefined> {
  if (config.storage.kind === 'folder') return ok('recordings are written to a folder')
  const output = await storage.egressOutput(newKey())
  if (output.kind === 'file' || output.sessionToken === undefined) return undefined
  return warn('recordings are written with temporary keys, which may end during one')
}

function signUpload(storage: Storage, key: string): Promise<SignedUrl> {
  return storage.signPut(key, { expiresInSec: URL_LIFE_SEC, maxBytes: 1024 })
}

function originOf(url: string): string {
  return new URL(url).origin
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const answer = await fetch(url, { ...init, signal }).catch((error: unknown) => reasonOf(error))
  if (typeof answer !== 'string') return answer
  throw new Error(`${new URL(url).host} does not answer (${answer})`)
}
