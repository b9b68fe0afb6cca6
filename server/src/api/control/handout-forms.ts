import multipart from '@fastify/multipart'
import { HandoutPatch, NewHandout } from '@interview-room/contract/handouts.ts'
import { HANDOUT_VIDEO_MAX_BYTES } from '@interview-room/contract/limits.ts'
import * as handouts from '@interview-room/contract/operations/handouts.ts'
import type { FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import { patchHandout } from '../../domain/handouts/patch-handout.ts'
import { presentHandout } from '../../domain/handouts/present.ts'
import { readHandout, readHandoutSession } from '../../domain/handouts/read-handouts.ts'
import {
  type FormPart,
  type ReceivedForm,
  receiveForm,
} from '../../domain/handouts/receive-form.ts'
import { registerHandout } from '../../domain/handouts/register-handout.ts'
import { refuseContent } from '../../domain/handouts/watch-file.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { refuseHalfRef } from '../../platform/lib/external-ref.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { route } from '../http/route.ts'
import { keyedRequestOf, sendOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'
import { allowUploadTime } from '../http/upload-time.ts'
import { toRefusal } from '../http/validation.ts'
import { answerOnce } from '../idempotency/answer-once.ts'

/** The two operations that take a form with a file, in a scope that reads nothing but forms. */
export async function handoutFormRoutes(app: App, deps: Deps): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart)

  // The answer is kept by what the form holds, which is known only when it has streamed in.
  route(app, handouts.registerHandout, async (call, reply) => {
    const { tenantId, params } = call
    const key = { tenantId, sessionId: params.session_id }
    // Nobody sends a large file only to learn that there is no such session.
    await readHandoutSession(deps.db, key)
    return receiving(deps, { request: call, schema: NewHandout }, async (fields, form) => {
      refuseHalfRef(fields)
      const { upload } = form
      if (upload === undefined) throw new Error('the schema lets through a form without a file')
      if (upload.contentType !== fields.content_type) throw refuseContent('content_type')
      const request = keyedRequestOf(call, contentOf(form))
      const answered = await answerOnce(deps, request, async (tx) => {
        const { handout, session } = await registerHandout(tx, key, { fields, upload })
        return {
          status: 201,
          headers: { location: `/api/v1/handouts/${handout.id}` },
          data: await presentHandout(deps, handout, session),
        }
      })
      sendOnce(reply, answered)
      return reply
    })
  })

  serve(app, handouts.patchHandout, async (call) => {
    const key = { tenantId: call.tenantId, handoutId: call.params.handout_id }
    await readHandout(deps.db, key)
    return receiving(deps, { request: call, schema: HandoutPatch }, async (fields, { upload }) => {
      const { handout, session } = await inTransaction(deps.db, (tx) =>
        patchHandout(tx, key, { fields, upload }),
      )
      return { data: await presentHandout(deps, handout, session) }
    })
  })
}

type FormRequest = Pick<
  FastifyRequest,
  'tenantId' | 'raw' | 'isMultipart' | 'parts' | 'getValidationFunction' | 'compileValidationSchema'
>

interface Reading<S extends TObject> {
  request: FormRequest
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

/** What stands for the form in the fingerprint of an Idempotency-Key. */
function contentOf({ fields, upload }: ReceivedForm) {
  return { fields, file: upload && { name: upload.fileName, sha256: upload.sha256 } }
}
