import type { EnvironmentReader } from '../lib/environment.ts'

/** The collector of spans, and the sampling of traces. */
export interface TracingConfig {
  /** http(s) address of a collector that takes OTLP/HTTP; spans go to `/v1/traces` below it. */
  endpoint: string
  /** Sent with every export; may hold a secret. */
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** Share of the traces that begin here, 0..1. A caller's trace is sampled as the caller decided. */
  sampledShare: number
}

/** The standard variables of OpenTelemetry; undefined without an endpoint. */
export function readTracing(read: EnvironmentReader): TracingConfig | undefined {
  const endpoint = readEndpoint(read)
  const headers = readHeaders(read)
  const serviceName = read.text('OTEL_SERVICE_NAME', { fallback: 'interview-room' })
  const sampledShare = readShare(read)
  return endpoint === '' ? undefined : { endpoint, headers, serviceName, sampledShare }
}

function readEndpoint(read: EnvironmentReader): string {
  const name = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const endpoint = read.url(name, { schemes: ['http', 'https'], fallback: '' })
  if (endpoint === '') return ''
  const { username, password, search, hash } = new URL(endpoint)
  if (username + password + search + hash === '') return endpoint
  // Without the value, which may be a secret.
  read.problems.push(`${name} must have no user, no query and no fragment; headers take a key`)
  return ''
}

/** `key=value` pairs with commas between them, the values percent-encoded. */
function readHeaders(read: EnvironmentReader): Record<string, string> {
  const name = 'OTEL_EXPORTER_OTLP_HEADERS'
  const given = read.text(name, { fallback: '' })
  if (given === '') return {}
  try {
    const headers = new Headers(
      given.split(',').map((pair): [string, string] => {
        const [, key, value] = /^\s*([^=\s]+)\s*=(.+)$/.exec(pair) ?? []
        if (key === undefined || value === undefined) throw new TypeError('no pair')
        return [key, decodeURIComponent(value.trim())]
      }),
    )
    return Object.fromEntries(headers)
  } catch {
    read.problems.push(`${name} must be key=value, with commas between several, values URL-encoded`)
    return {}
  }
}

function readShare(read: EnvironmentReader): number {
  const name = 'OTEL_TRACES_SAMPLER_ARG'
  const given = read.text(name, { fallback: '1' })
  const share = /^\d+(\.\d+)?$/.test(given) ? Number(given) : Number.NaN
  if (share >= 0 && share <= 1) return share
  read.problems.push(`${name} must be a number from 0 to 1`)
  return 1
}
