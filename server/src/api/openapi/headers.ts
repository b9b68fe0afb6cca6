import { wordsOf } from '@interview-room/contract/schema.ts'

const TEXT = { type: 'string' }

/**
 * The headers of responses. Each response has them in full: OpenAPI Generator 7.18 fails on a reference to a header.
 */
export const HEADERS = {
  RequestId: {
    description:
      'Id of this request in the logs: yours if you sent a usable `X-Request-Id`, or a new one. Quote it to support.',
    schema: TEXT,
  },
  Etag: {
    description: 'Version of what is returned, for `If-Match`.',
    required: true,
    schema: TEXT,
  },
  Location: { description: 'Address of the new resource.', required: true, schema: TEXT },
  IdempotentReplayed: {
    description: '`true` when this is the stored response of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  WwwAuthenticate: {
    description:
      'Which credential is expected (RFC 9110). On the participant plane, `error_description="opened elsewhere"` when the person entered on another page.',
    required: true,
    schema: TEXT,
  },
  Allow: {
    description: 'The methods that this address supports.',
    required: true,
    schema: TEXT,
  },
  WindowOpensAt: {
    description: 'When entry opens (RFC 3339).',
    schema: { type: 'string', format: 'date-time' },
  },
  WindowClosesAt: {
    description: 'When entry closes (RFC 3339).',
    schema: { type: 'string', format: 'date-time' },
  },
  SessionReleased: {
    description: 'How the session ended.',
    schema: wordsOf('SessionRelease', ['cancelled', 'closed'] as const, {
      about: 'How a session ended.',
      cancelled: 'The session was cancelled.',
      closed: 'The room was closed.',
    }),
  },
  RateLimit: {
    description:
      'What is left of the limit: `r` requests, until `t` seconds from now, for example `"requests";r=50;t=30`. Absent without a limit.',
    schema: TEXT,
  },
  RateLimitPolicy: {
    description:
      'The limit of your API keys together: `q` requests in `w` seconds, for example `"requests";q=600;w=60`. Absent without a limit.',
    schema: TEXT,
  },
  RateLimitLimit: {
    description:
      'Requests that your API keys together may send in a minute. Absent without a limit.',
    schema: TEXT,
  },
  RateLimitRemaining: {
    description: 'Requests that are left in this minute. Absent without a limit.',
    schema: TEXT,
  },
  RateLimitReset: {
    description: 'Seconds until the next minute begins. Absent without a limit.',
    schema: TEXT,
  },
  RetryAfter: { description: 'Seconds to wait before you try again.', schema: TEXT },
  Deprecation: {
    description: 'Since when the engine in use is deprecated (RFC 9745). Absent otherwise.',
    schema: TEXT,
  },
  Sunset: {
    description: 'When the deprecated engine may be removed (RFC 8594). Absent otherwise.',
    schema: TEXT,
  },
  Link: {
    description: 'Where the deprecation is documented. Absent otherwise.',
    schema: TEXT,
  },
}

/** On every answer to an API key whose tenant has a limit. */
export const RATE_LIMIT_HEADERS = {
  RateLimit: HEADERS.RateLimit,
  'RateLimit-Policy': HEADERS.RateLimitPolicy,
  'RateLimit-Limit': HEADERS.RateLimitLimit,
  'RateLimit-Remaining': HEADERS.RateLimitRemaining,
  'RateLimit-Reset': HEADERS.RateLimitReset,
}
