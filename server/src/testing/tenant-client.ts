import type { ArchiveMode } from '@interview-room/contract/vocabulary.ts'
import type { App } from '../api/http/app-types.ts'
import type { Db } from '../platform/db/db.ts'
import { createTenant } from '../platform/tenants/create-tenant.ts'
import { issueApiKey } from '../platform/tenants/issue-api-key.ts'

interface Send {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  payload?: string | Buffer
  headers?: Record<string, string>
}

export interface TenantClient {
  tenantId: string
  authorization: string
  get(path: string): Promise<Answer>
  /** Without a body, none is sent; text is sent as it is. */
  post(path: string, body?: object | string, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: object | string): Promise<Answer>
  delete(path: string, headers?: Record<string, string>): Promise<Answer>
  send(options: Send): Promise<Answer>
}

export interface Answer {
  status: number
  headers: Record<string, unknown>
  /** The body as it was sent. */
  text: string
  /** `data` of a success. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
  data: any
  /** Code of a refusal, with `[field, code]` of its details. */
  code: string | undefined
  details: [field: string, code: string][] | undefined
}

/** A new tenant that calls the app with an API key of its own. */
export async function createTenantClient(
  app: Pick<App, 'inject'>,
  db: Db,
  { isSandbox = false }: { isSandbox?: boolean } = {},
): Promise<TenantClient> {
  const { id: tenantId } = await createTenant(db, { name: 'Test tenant', isSandbox })
  const { apiKey } = await issueApiKey(db, {
    tenantId,
    note: 'test',
    scopes: ['control', 'manage'],
  })
  const authorization = `ApiKey ${apiKey}`

  async function send(options: Send): Promise<Answer> {
    const headers = { authorization, ...options.headers }
    return toAnswer(await app.inject({ ...options, headers }))
  }

  return {
    tenantId,
    authorization,
    send,
    get: (path) => send({ method: 'GET', url: `/api/v1${path}` }),
    post(path, body, headers = {}) {
      const url = `/api/v1${path}`
      if (body === undefined) return send({ method: 'POST', url, headers })
      return send({
        method: 'POST',
        url,
        payload: toText(body),
        headers: { 'content-type': 'application/json', ...headers },
      })
    },
    patch: (path, body) =>
      send({
        method: 'PATCH',
        url: `/api/v1${path}`,
        payload: toText(body),
        headers: { 'content-type': 'application/merge-patch+json' },
      }),
    delete: (path, headers = {}) => send({ method: 'DELETE', url: `/api/v1${path}`, headers }),
  }
}

function toText(body: object | string): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

interface InjectedAnswer {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

export function toAnswer({ statusCode, headers, body }: InjectedAnswer): Answer {
  const isJson = String(headers['content-type']).includes('json')
  const { data, error } = isJson ? JSON.parse(body) : {}
  const details = error?.details as { field: string; code: string }[] | undefined
  return {
    status: statusCode,
    headers,
    text: body,
    data,
    code: error?.code,
    details: details?.map(({ field, code }) => [field, code]),
  }
}

/** Body of `POST /rooms` for a slot that starts in `startsInMin` and lasts an hour. */
export function booking({
  startsInMin = 10,
  now = new Date(),
  archiveMode,
}: {
  startsInMin?: number
  now?: Date
  archiveMode?: ArchiveMode
} = {}) {
  const startsAt = now.getTime() + startsInMin * 60_000
  return {
    kind: 'interview',
    ...(archiveMode !== undefined && { archive_mode: archiveMode }),
    session: {
      external_type: 'Slot',
      external_id: `slot-${Math.random().toString(36).slice(2)}`,
      starts_at: new Date(startsAt).toISOString(),
      ends_at: new Date(startsAt + 3_600_000).toISOString(),
    },
  }
}
