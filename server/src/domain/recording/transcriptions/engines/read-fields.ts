/**
 * Readers of what an engine answered. Engines add fields, leave some out and change their types, so only the fields in use
 * are read, and one of a wrong type counts as absent.
 */

/** The value at the end of the path. Undefined where the path leads nowhere. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string | number, unknown>)[name]
  }
  return found
}

export function listAt(value: unknown, ...path: readonly (string | number)[]) {
  const found = at(value, ...path)
  return Array.isArray(found) ? (found as readonly unknown[]) : undefined
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : null
}

/** A number, also where it was written as a text. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const found = at(value, ...path)
  const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** A number of milliseconds, in seconds. */
export function secondsAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const ms = numberAt(value, ...path)
  return ms === null ? null : ms / 1000
}

const ID_MAX = 255

/** A vendor's own name of a thing. */
export function idAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = textAt(value, ...path)
  return found === null || found === '' || found.length > ID_MAX ? undefined : found
}

/** Texts, which stay as they are, and the numbers that JSON does not have but Python writes. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/gs

/** Parses JSON. NaN and infinite numbers become null. Throws `SyntaxError`. */
export function parseJson(text: string): unknown {
  const json = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(json)
  } catch {
    return JSON.parse(json.replaceAll(TOKENS, (token) => (token.startsWith('"') ? token : 'null')))
  }
}
