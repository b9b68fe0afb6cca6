import type { Operation } from '@interview-room/contract/operations/operation.ts'
import { PARAMETER_EXAMPLES } from './parameter-examples.ts'

/** How to call an operation with curl; credentials come from variables of the shell. */
export function codeSample(operation: Operation, publicUrl: string): string {
  const { method, isKeyed } = operation
  const isStream = Object.values(operation.answers).some((answer) => 'events' in answer)
  const credential = credentialOf(operation)
  const words = [
    `curl${isStream ? ' -N' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(urlOf(operation, publicUrl))}`,
    ...(credential === undefined ? [] : [`-H "Authorization: ${credential}"`]),
    ...(isKeyed ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...bodyOf(operation),
  ]
  return words.join(' \\\n  ')
}

function urlOf({ path, query }: Operation, publicUrl: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => exampleOf(name))
  // Absent where every parameter is optional, whatever its type says.
  const { required = [] } = (query ?? {}) as { required?: readonly string[] }
  const search = new URLSearchParams(
    Object.fromEntries(required.map((name) => [name, exampleOf(name)])),
  )
  return `${publicUrl}/api/v1${filled}${search.size > 0 ? `?${search.toString()}` : ''}`
}

function exampleOf(name: string): string {
  const example = PARAMETER_EXAMPLES[name]
  if (example === undefined) throw new Error(`the parameter ${name} has no example`)
  return example
}

/** The credential of the sample, which the caller already has: from the operator, its own signature, an entry or a link. */
function credentialOf({ plane, credential }: Operation): string | undefined {
  if (plane === 'public') return undefined
  if (plane === 'control') return 'ApiKey $API_KEY'
  if (plane === 'board') return 'Bearer $BOARD_TOKEN'
  if (plane === 'review') return 'Bearer $VIEWER_TOKEN'
  if (credential === 'token or body') return 'Bearer $PARTICIPANT_TOKEN'
  return credential === 'test ticket' ? 'Bearer $TEST_TICKET' : 'Bearer $ROOM_TICKET'
}

function bodyOf({ method, example }: Operation): string[] {
  if (example?.parts !== undefined) return partsOf(example.parts)
  if (example?.request === undefined) return []
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  return [`-H 'Content-Type: ${type}'`, `-d ${quoted(JSON.stringify(example.request, null, 2))}`]
}

function partsOf(parts: Record<string, unknown>): string[] {
  return Object.entries(parts).map(([name, value]) =>
    name === 'file'
      ? `-F ${quoted(`file=@${String(value)}`)}`
      : `-F ${quoted(`${name}=${String(value)}`)}`,
  )
}

/** Quotes a text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
