import multipart from '@fastify/multipart'
import { ErrorBody, success, Uuid } from '@interview-room/contract/envelope.ts'
import { HandoutBody, HandoutPatch, NewHandout } from '@interview-room/contract/handouts.ts'
import { HANDOUT_VIDEO_MAX_BYTES } from '@interview-room/contract/limits.ts'
import type { FastifyRequest } from 'fastify'
import { type Static, type TObject, Type } from 'typebox'
import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { sendOnce } from '../http/once.ts'
import { succeed } from '../http/present.ts'
import { allowUploadTime } from '../http/upload-time.ts'
import { toRefusal } from '../http/validation.ts'
import { refuseHalfRef } from '../lib/external-ref.ts'
import { ServiceError } from '../lib/service-error.ts'
import { patchHandout } from './patch-handout.ts'
import { presentHandout } from './present.ts'
import { type FormPart, type ReceivedForm, receiveForm } from './receive-form.ts'
import { registerHandout } from './register-handout.ts'
import { findHandout, findHandoutSession } from './store.ts'
import { refuseContent } from './watch-file.ts'

const HandoutAnswer = success(HandoutBody)
const COMMON = {
  tags: ['Handouts'],
  consumes: ['multipart/form-data'],
}
const REGISTER = {
  ...COMMON,
  params: Type.Object({ session_id: Uuid }),
  body: NewHandout,
  response: { 201: HandoutAnswer, default: ErrorBody },
}
const PATCH = {
  ...COMMON,
  params: Type.Object({ handout_id: Uuid }),
  body: HandoutPatch,
  response: { 200: HandoutAnswer, default: ErrorBody },
}
/** What a form is may be judged only when it has streamed in: here its schema describes it. */
const STREAMED_IN = { attachValidation: true, config: { isLong: true } }

/** The two operations that take a form with a file, in a scope that reads nothing but forms. */
export async function handoutFormRoutes(app: App, deps: Deps): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart)

  app.post(
    '/sessions/:session_id/handouts',
    { ...STREAMED_IN, schema: REGISTER },
    async (request, reply) => {
      refuseMalformedId(request)
      const { tenantId } = request
      const key = { tenantId, sessionId: request.params.session_id }
      // Nobody sends a large file only to learn that there is no such session.
      if ((await findHandoutSession(deps.db, key)) === undefined)
        throw new ServiceError('NOT_FOUND')
      return receiving(deps, { request, schema: NewHandout }, async (fields, form) => {
        refuseHalfRef(fields)
        const { upload } = form
        if (upload === undefined) throw new Error('the schema lets through a form without a file')
        if (upload.contentType !== fields.content_type) throw refuseContent('content_type')
        const exchange = { request, reply, content: contentOf(form) }
        return sendOnce(deps, exchange, async (tx) => {
          const { handout, session } = await registerHandout(tx, key, { fields, upload })
          return {
            status: 201,
            headers: { location: `/api/v1/handouts/${handout.id}` },
            data: await presentHandout(deps, handout, session),
          }
        })
      })
    },
  )

  app.patch('/handouts/:handout_id', { ...STREAMED_IN, schema: PATCH }, async (request) => {
    refuseMalformedId(request)
    const { tenantId } = request
    const key = { tenantId, handoutId: request.params.handout_id }
    if ((await findHandout(deps.db, key)) === undefined) throw new ServiceError('NOT_FOUND')
    return receiving(deps, { request, schema: HandoutPatch }, async (fields, { upload }) => {
      const { handout, session } = await inTransaction(deps.db, (tx) =>
        patchHandout(tx, key, { fields, upload }),
      )
      return succeed(await presentHandout(deps, handout, session))
    })
  })
}

/** Everything else that the framework finds wrong is what it cannot know before the form is read. */
function refuseMalformedId({ validationError }: Pick<FastifyRequest, 'validationError'>): void {
  if (validationError?.validationContext === 'params') throw validationError
}

interface Reading<S extends TObject> {
  request: FastifyRequest
  schema: S
}

/** Reads the form and judges its fields; what is left unread is taken from the line unseen. */
async function receiving<S extends TObject, T>(
  deps: Deps,
  { request, schema }: Reading<S>,
  use: (fields: Static<S>, form: ReceivedForm) => Promise<T>,
): Promise<T> {
  const { tenantId, raw } = request
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

async function* partsOf(request: FastifyRequest): AsyncGenerator<FormPart> {
  if (!request.isMultipart()) return
  // Every part as a stream: texts are read as strictly as bodies are, and by us.
  for await (const part of request.parts({ limits: LIMITS, isPartAFile: () => true })) {
    if (part.type !== 'file') continue
    yield { name: part.fieldname, fileName: part.filename, body: part.file }
  }
}

function judgeFields<S extends TObject>(
  request: FastifyRequest,
  schema: S,
  { fields, upload }: ReceivedForm,
): Static<S> {
  const body = { ...fields, ...(upload && { file: upload.fileName }) }
  const validate = request.getValidationFunction(schema) ?? request.compileValidationSchema(schema)
  if (!validate(body)) throw toRefusal(validate.errors ?? [], 'body')
  return body as Static<S>
}

/** What stands for the form in the fingerprint of an Idempotency-Key. */
function contentOf({ fields, upload }: ReceivedForm) {
  return { fields, file: upload && { name: upload.fileName, sha256: upload.sha256 } }
}
