import multipart from '@fastify/multipart'
import { HANDOUT_VIDEO_MAX_BYTES } from '@interview-room/contract/limits.ts'
import type { FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import { type FormPart, type ReceivedForm, receiveForm } from '../domain/handouts/receive-form.ts'
import type { Deps } from '../platform/ports/deps.ts'
import type { App } from './http/app-types.ts'
import { allowUploadTime } from './http/upload-time.ts'
import { toRefusal } from './http/validation.ts'

/** This scope reads nothing but forms. */
export async function readForms(app: App): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart)
}

type FormRequest = Pick<
  FastifyRequest,
  'raw' | 'isMultipart' | 'parts' | 'getValidationFunction' | 'compileValidationSchema'
>

interface Reading<S extends TObject> {
  request: FormRequest
  tenantId: string
  schema: S
}

/** Reads the form and judges its fields; the unread rest is drained from the connection. */
export async function receiving<S extends TObject, T>(
  deps: Deps,
  { request, tenantId, schema }: Reading<S>,
  use: (fields: Static<S>, form: ReceivedForm) => Promise<T>,
): Promise<T> {
  const { raw } = request
  const names = Object.keys(schema.properties)
  allowUploadTime(request)
  try {
    return await receiveForm(deps, { tenantId, names, parts: partsOf(request) }, (form) =>
      use(judgeFields(request, schema, form), form),
    )
  } finally {
    // A refusal in the middle: without this the sender would never get to read the answer.
    raw.unpipe().resume()
  }
}

const LIMITS = {
  parts: 20,
  files: 20,
  headerPairs: 20,
  headerSize: 8 * 1024,
  // The limits of the contract are smaller, and judged as the bytes pass.
  fileSize: HANDOUT_VIDEO_MAX_BYTES + 1,
}

async function* partsOf(request: FormRequest): AsyncGenerator<FormPart> {
  if (!request.isMultipart()) return
  // Every part as a stream: texts are read as strictly as bodies are, and by us.
  for await (const part of request.parts({ limits: LIMITS, isPartAFile: () => true })) {
    if (part.type !== 'file') continue
    yield { name: part.fieldname, fileName: part.filename, body: part.file }
  }
}

function judgeFields<S extends TObject>(
  request: FormRequest,
  schema: S,
  { fields, upload }: ReceivedForm,
): Static<S> {
  const body = { ...fields, ...(upload && { file: upload.fileName }) }
  const validate = request.getValidationFunction(schema) ?? request.compileValidationSchema(schema)
  if (!validate(body)) throw toRefusal(validate.errors ?? [], 'body')
  return body as Static<S>
}
