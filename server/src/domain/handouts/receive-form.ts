import type { Readable } from 'node:stream'
import { refuseField } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { giveUpObject } from '../../platform/storage/unclaimed-object.ts'
import { keysOf } from './handout.ts'
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
  /** Values of the text parts by name. Whole numbers in plain digits become numbers. */
  fields: Record<string, string | number>
  upload: Upload | undefined
}

/** More than the longest allowed field takes in UTF-8. */
const FIELD_MAX_BYTES = 1024
/** Longest name of an unknown part that the error quotes. */
const NAME_SHOWN_MAX = 200
const FILE_PART = 'file'

/**
 * Reads a form while it arrives: text parts are kept, the file is streamed into the storage. The order of the parts does
 * not matter. A file that `use` did not claim is deleted afterwards.
 *
 * Throws 400 INVALID_REQUEST for anything but such a form, and the errors of `storeUpload`.
 */
export async function receiveForm<T>(
  deps: Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>,
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
    for (const key of form.upload === undefined ? [] : keysOf(form.upload)) {
      await giveUpObject(deps.db, key)
    }
  }
}

interface FormRequest {
  tenantId: string
  parts: AsyncIterable<FormPart>
  /** Names of the parts that this form may have. */
  names: readonly string[]
}

/** Turns any error of the parser into a refusal of the form. */
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

/** Returns undefined for bytes that are not UTF-8, and for text that cannot be stored. */
function decode(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

const WHOLE_NUMBER = /^-?[0-9]{1,15}$/

/** A form contains only texts, so the name of the part decides which ones are numbers. */
function toField(name: string, text: string): string | number {
  return name === 'sort' && WHOLE_NUMBER.test(text) ? Number(text) : text
}
