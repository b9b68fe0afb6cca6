import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from './platform/config/config.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SOURCES = [
  ...globSync('server/src/platform/config/*-config.ts', { cwd: ROOT }),
  'server/src/platform/config/config.ts',
  'server/src/local/local-environment.ts',
]

test('.env.example names every setting', () => {
  const example = readFileSync(path.join(ROOT, '.env.example'), 'utf8')
  const named = new Set(
    example.match(/^#?[A-Z][A-Z0-9_]+(?==)/gm)?.map((name) => name.replace('#', '')),
  )
  const read = SOURCES.flatMap((source) =>
    [...readFileSync(path.join(ROOT, source), 'utf8').matchAll(/'([A-Z][A-Z0-9_]{3,})'/g)].map(
      ([, name]) => name,
    ),
  )
  expect(read.length).toBeGreaterThan(30)
  expect(read.filter((name) => !named.has(name ?? ''))).toEqual([])
})

const NEEDED = {
  DATABASE_URL: 'postgresql://127.0.0.1/interviews',
  PUBLIC_URL: 'http://127.0.0.1:3000',
  LIVEKIT_URL: 'http://127.0.0.1:7880',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'secret-of-at-least-32-characters!',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
}
const RECORDER = { LIVEKIT_EGRESS_URL: 'http://127.0.0.1:7890' }

test.each([
  ["LiveKit's own egress", {}, false],
  ['a recorder of ours', RECORDER, true],
  ['a recorder whose videos are wanted', { ...RECORDER, RECORDING_FROM_CAPTURES: 'false' }, false],
])('recordings are composed from captures of %s: %j', (_what, env, isExpected) => {
  expect(loadConfig({ ...NEEDED, ...env }).recordings.fromCaptures).toBe(isExpected)
})

test.each([
  ['LiveKit, when nothing is set', {}, { egressUrls: ['http://127.0.0.1:7880'] }],
  ['one recorder', RECORDER, { egressUrls: ['http://127.0.0.1:7890'], drainedEgressUrls: [] }],
  [
    'several recorders',
    { LIVEKIT_EGRESS_URL: 'http://one.internal:7890/, wss://two.internal' },
    { egressUrls: ['http://one.internal:7890', 'https://two.internal'] },
  ],
  [
    'one of two, when the other one is drained',
    { ...RECORDER, LIVEKIT_EGRESS_DRAIN_URL: 'http://old.internal:7890' },
    {
      egressUrls: ['http://127.0.0.1:7890'],
      drainedEgressUrls: ['http://old.internal:7890'],
    },
  ],
])('recordings are ordered at %s', (_what, env, expected) => {
  expect(loadConfig({ ...NEEDED, ...env }).livekit).toMatchObject(expected)
})

test.each([
  ['http://one.internal,', /LIVEKIT_EGRESS_URL must be addresses that start with http/],
  ['http://one.internal,ftp://two.internal', /LIVEKIT_EGRESS_URL must be addresses/],
  ['http://one.internal,http://one.internal/', /LIVEKIT_EGRESS_URL must have each address once/],
  ['http://old.internal', /LIVEKIT_EGRESS_DRAIN_URL must have no address of LIVEKIT_EGRESS_URL/],
])('addresses of recorders that are refused: %s', (url, problem) => {
  const env = { LIVEKIT_EGRESS_URL: url, LIVEKIT_EGRESS_DRAIN_URL: 'http://old.internal' }
  expect(() => loadConfig({ ...NEEDED, ...env })).toThrow(problem)
})

test.each([
  'me:a#canary@db/rooms',
  'me:a@b/canary#1@db/rooms',
  'me:a@b/canary@db/rooms',
  'me:a/canary@db/rooms',
])('a password that is not encoded is refused: %s', (url) => {
  const refused = () => loadConfig({ ...NEEDED, DATABASE_URL: `postgres://${url}` })
  expect(refused).toThrow(
    'DATABASE_URL must percent-encode special characters of user and password',
  )
  expect(refused).not.toThrow(/canary/)
})

test.each(['u:a,b@one:5432,two:5432/x', 'one,two/x'])('several hosts are refused: %s', (url) => {
  expect(() => loadConfig({ ...NEEDED, DATABASE_URL: `postgres://${url}` })).toThrow(
    'DATABASE_URL must name one host',
  )
})

test('a comma in the password, or after the host, is no second host', () => {
  const url = 'postgres://u:a,b@one/x?application_name=a,b'
  expect(loadConfig({ ...NEEDED, DATABASE_URL: url }).databaseUrl).toBe(url)
})

test.each(['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])('%s alone is refused', (name) => {
  expect(() => loadConfig({ ...NEEDED, S3_BUCKET: 'files', [name]: 'key' })).toThrow(
    'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together',
  )
})

test.each([
  'https://rooms.test/interviews',
  'https://rooms.test/?tenant=canary',
  'https://rooms.test/#canary',
  'https://me:canary@rooms.test',
])('a PUBLIC_URL that no page could be at is refused: %s', (url) => {
  const refused = () => loadConfig({ ...NEEDED, PUBLIC_URL: url })
  expect(refused).toThrow(
    'PUBLIC_URL must be scheme, name and port alone: the service needs a name of its own',
  )
  expect(refused).not.toThrow(/canary/)
})

test('a slash at the end of PUBLIC_URL does not count', () => {
  expect(loadConfig({ ...NEEDED, PUBLIC_URL: 'https://rooms.test/' }).publicUrl).toBe(
    'https://rooms.test',
  )
})

// Otherwise only this process would keep its files in a folder of its own machine.
test.each(['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_EGRESS_ENDPOINT', 'S3_REGION'])(
  '%s is refused without a bucket, unless a folder is named',
  (name) => {
    const env = { ...NEEDED, [name]: 'http://s3.internal' }
    expect(() => loadConfig(env)).toThrow(`S3_BUCKET is required with ${name}`)
    const { storage } = loadConfig({ ...env, STORAGE_DIR: '/files' })
    expect(storage).toEqual({ kind: 'folder', folder: '/files' })
  },
)

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.internal:4318/' }

test('spans go where the standard variables say, and nowhere without an endpoint', () => {
  expect(loadConfig(NEEDED).tracing).toBeUndefined()
  expect(loadConfig({ ...NEEDED, ...ENDPOINT }).tracing).toEqual({
    endpoint: 'https://collector.internal:4318',
    headers: {},
    serviceName: 'interview-room',
    sampledShare: 1,
  })
  const others = {
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi, x-scope=interviews',
    OTEL_SERVICE_NAME: 'interviews',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  }
  expect(loadConfig({ ...NEEDED, ...ENDPOINT, ...others }).tracing).toMatchObject({
    headers: { authorization: 'Basic YTpi', 'x-scope': 'interviews' },
    serviceName: 'interviews',
    sampledShare: 0.25,
  })
})

test('a start refuses a SECRETS_KEY_PREVIOUS that is no key, and takes an empty one for none', () => {
  const refused = () => loadConfig({ ...NEEDED, SECRETS_KEY_PREVIOUS: 'short' })
  expect(refused).toThrow('SECRETS_KEY_PREVIOUS must be 32 bytes in base64')
  const { previousSecretsKey } = loadConfig({ ...NEEDED, SECRETS_KEY_PREVIOUS: '' })
  expect(previousSecretsKey).toBeUndefined()
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /starts with http:\/\/ or https:\/\/$/],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://a:canary@collector', /must have no user/],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector/?key=canary', /must have no user/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'canary', /must be key=value/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%zzcanary', /must be key=value/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'my key=canary', /must be key=value/],
  ['OTEL_TRACES_SAMPLER_ARG', '1.1', /must be a number from 0 to 1$/],
  ['OTEL_TRACES_SAMPLER_ARG', '-1', /must be a number from 0 to 1$/],
])('a start refuses %s=%s', (name, value, reason) => {
  let refused: unknown
  try {
    loadConfig({ ...NEEDED, ...ENDPOINT, [name]: value })
  } catch (error) {
    refused = error
  }
  expect(refused).toBeInstanceOf(ConfigError)
  const { problems } = refused as ConfigError
  expect(problems).toEqual([expect.stringMatching(reason)])
  expect(problems[0]).toMatch(name)
  expect(problems[0]).not.toContain('canary')
})
