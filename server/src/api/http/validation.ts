import type { ErrorDetail } from '@interview-room/contract/errors.ts'
import { DEFAULT } from '@interview-room/contract/schema.ts'
import type { FastifyServerOptions } from 'fastify'
import { parseDateTime } from '../../platform/lib/date-time.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { isUuid } from '../../platform/lib/uuid.ts'
import { type Fault, unknownMessage, wordingOf } from './fault-messages.ts'

const DETAILS_MAX = 50
/** Faults that are looked into at most: a body of nothing but unknown fields has a hundred thousand. */
const FAULTS_MAX = 1_000

/** Validation as the contract wants it: nothing coerced, nothing dropped, every fault found. */
export const validatorOptions = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: true,
    allowUnionTypes: true,
    allErrors: true,
    // Faults carry the refused value: null is another refusal than a wrong type.
    verbose: true,
  },
  onCreate: (ajv) => {
    // For readers of the API description only.
    ajv.addKeyword(DEFAULT)
    ajv.addFormat('uuid', isUuid)
    ajv.addFormat('date-time', (text: string) => parseDateTime(text) !== undefined)
    compileWhenNeeded(ajv)
  },
} satisfies Options

type Options = NonNullable<FastifyServerOptions['ajv']>
type Compiler = Parameters<NonNullable<Options['onCreate']>>[0]
type Check = ReturnType<Compiler['compile']>

/** A start would spend a quarter of its work on the checks of all routes: each waits for its first request. */
function compileWhenNeeded(compiler: Compiler): void {
  const compile = compiler.compile.bind(compiler)
  compiler.compile = ((schema: Parameters<typeof compile>[0]) => {
    let compiled: Check | undefined
    const check = (value: unknown) => {
      compiled ??= compile(schema)
      const isValid = compiled(value)
      check.errors = compiled.errors
      return isValid
    }
    check.errors = undefined as Check['errors']
    return check
  }) as typeof compile
}

/** Turns schema faults into 400 INVALID_REQUEST, or into 404 if the id in the path is malformed. */
export function toRefusal(faults: readonly Fault[], part: string): ServiceError {
  if (part === 'params') return new ServiceError('NOT_FOUND')
  const details = faults
    .slice(0, FAULTS_MAX)
    .filter((fault) => isOfInterest(fault))
    .map((fault) => toDetail(fault))
  return new ServiceError('INVALID_REQUEST', {
    details: firstOfEachField(details).slice(0, DETAILS_MAX),
  })
}

/** A value of the wrong type breaks other rules too; a wrong type and null are reported before them. */
function firstOfEachField(details: readonly ErrorDetail[]): ErrorDetail[] {
  const fields = new Map<string, ErrorDetail>()
  for (const detail of details) {
    if (!fields.has(detail.field) || detail.code === 'INVALID_TYPE') {
      fields.set(detail.field, detail)
    }
  }
  return [...fields.values()]
}

/** A nullable schema is a union with null. The relevant fault is that of the other half. */
function isOfInterest(fault: Fault): boolean {
  // The faults of their parts show what is wrong.
  if (['anyOf', 'if', 'propertyNames'].includes(fault.keyword)) return false
  return !(fault.schemaPath.includes('/anyOf/') && fault.params.type === 'null')
}

function toDetail(fault: Fault): ErrorDetail {
  const path = fault.instancePath
  const { keyword, params } = fault
  if (keyword === 'required') {
    return {
      field: fieldOf(path, params.missingProperty),
      code: 'REQUIRED',
      message: 'is required',
    }
  }
  if (keyword === 'additionalProperties') {
    return {
      field: fieldOf(path, params.additionalProperty),
      code: 'UNKNOWN_FIELD',
      message: unknownMessage(fault),
    }
  }
  const field = fieldOf(path)
  if (fault.data === null) {
    if (path === '') return { field, code: 'REQUIRED', message: 'is required' }
    return { field, code: 'NOT_NULLABLE', message: 'must not be null' }
  }
  return { field, ...wordingOf(fault) }
}

/** Longest name that is given back: an unknown field may be called anything. */
const FIELD_MAX = 200

/** `/session/ends_at` -> `session.ends_at`; the body itself is `body`. */
function fieldOf(pointer: string, member?: string): string {
  const names = pointer.split('/').slice(1)
  const path = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (member !== undefined) path.push(member)
  return path.join('.').slice(0, FIELD_MAX).toWellFormed() || 'body'
}
