import type { Readable } from 'node:stream'
import { refuseField } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { giveUpObject } from '../../platform/storage/unclaimed-object.ts'
import { brokenForm, fullBody } from './part-body.ts'
import { storeUpload, type Upload } from './upload.ts'

/** One part of a form, as it streams in. */
export interface FormPart {
  name: string | undefined
  /** Undefined for parts without a file. */
  fileName: string | undefined
  body: Readable
}

export interface ReceivedForm {
  /** Texts by part name; whole numbers in plain digits are numbers. */
  fields: Record<string, string | number>
  upload: Upload | undefined
}

/** Longer than any field may be in UTF-8. */
const FIELD_MAX_BYTES = 1024
/** Longest name of an unknown part that is given back. */
const NAME_SHOWN_MAX = 200
const FILE_PART = 'file'

/**
 * Takes a form apart while it arrives: texts are kept, the file goes straight into the storage,
 * whichever comes first. A file that `use` did not claim is deleted afterwards.
 *
 * Throws 400 INVALID_REQUEST for anything but such a form, and as `storeUpload`.
 */
export async function receiveForm<T>(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  { tenantId, parts, names }: FormRequest,
  use: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  const form: ReceivedForm = { fields: {}, upload: undefined }
  try {
    for await (const part of readable(parts)) {
      const name = judgePart(part, form, names)
      if (name === FILE_PART) form.upload = await storeUpload(deps, tenantId, part)
      else form.fields[name] = toField(name, await readText(name, part.body))
    }
    return await use(form)
  } finally {
    if (form.upload !== undefined) await giveUpObject(deps.db, form.upload.storageKey)
  }
}

interface FormRequest {
  tenantId: string
  parts: AsyncIterable<FormPart>
  /** Of the parts that this form may have. */
  names: readonly string[]
}

/** What breaks while parts are read is a form that cannot be read, whatever the reader calls it. */
async function* readable(parts: AsyncIterable<FormPart>): AsyncIterable<FormPart> {
  try {
    yield* parts
  } catch (cause) {
    throw brokenForm(cause)
  }
}

function judgePart({ name = '' }: FormPart, form: ReceivedForm, names: readonly string[]): string {
  if (!names.includes(name)) {
    const field = name.slice(0, NAME_SHOWN_MAX).toWellFormed() || 'body'
    throw refuseField('INVALID_REQUEST', {
      field,
      code: 'UNKNOWN_FIELD',
      message: `is not known here; must be one of: ${names.join(', ')}`,
    })
  }
  if (Object.hasOwn(form.fields, name) || (name === FILE_PART && form.upload !== undefined)) {
    throw refuseField('INVALID_REQUEST', {
      field: name,
      code: 'DUPLICATE',
      message: 'must be sent only once',
    })
  }
  return name
}

async function readText(field: string, body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of fullBody(body)) {
    sizeBytes += chunk.length
    if (sizeBytes > FIELD_MAX_BYTES) {
      throw refuseField('INVALID_REQUEST', {
        field,
        code: 'TOO_LONG',
        message: `must have at most ${FIELD_MAX_BYTES} bytes`,
      })
    }
    chunks.push(chunk)
  }
  const text = decode(Buffer.concat(chunks))
  if (text !== undefined) return text
  throw refuseField('INVALID_REQUEST', {
    field,
    code: 'INVALID_FORMAT',
    message: 'must be UTF-8 text without NUL characters',
  })
}

/** Undefined for bytes that are not UTF-8, and for text that cannot be stored. */
function decode(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

const WHOLE_NUMBER = /^-?[0-9]{1,15}$/

/** A form holds texts only: the name of the part shows which ones are numbers. */
function toField(name: string, text: string): string | number {
  return name === 'sort' && WHOLE_NUMBER.test(text) ? Number(text) : text
}
