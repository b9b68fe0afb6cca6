import type { App } from '../api/http/app-types.ts'
import { type Answer, toAnswer } from './tenant-client.ts'

export interface ViewerRequest {
  token: string
  body?: unknown
  headers?: Record<string, string>
}

/** Calls the API with a viewer token in place of an API key. */
export async function callAsViewer(
  app: App,
  [method, path]: readonly ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string],
  { token, body, headers }: ViewerRequest,
): Promise<Answer> {
  const answer = await app.inject({
    method,
    url: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  return toAnswer(answer)
}
