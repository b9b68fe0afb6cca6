import type { TranscriptionEngine } from '@interview-room/contract/vocabulary.ts'

/** engine_d and engine_e still work, but new rooms should name engine_a, engine_b or engine_c. */
const DEPRECATED: readonly TranscriptionEngine[] = ['engine_d', 'engine_e']
const DEPRECATED_SINCE = new Date('2026-01-01T00:00:00Z')
const ENDS_AT = new Date('2027-12-31T00:00:00Z')

/** The documentation that names the engines to use instead. */
const DESCRIBED_AT = '</docs/>; rel="deprecation"; type="text/html"'

/** The headers `Deprecation`, `Link` (RFC 9745) and `Sunset` (RFC 8594) for an answer about a deprecated engine. */
export function deprecationHeaders(engine: TranscriptionEngine): Record<string, string> {
  if (!DEPRECATED.includes(engine)) return {}
  return {
    deprecation: `@${DEPRECATED_SINCE.getTime() / 1000}`,
    sunset: ENDS_AT.toUTCString(),
    link: DESCRIBED_AT,
  }
}
