import path from 'node:path'
import { pino } from 'pino'
import { loadConfig, type Waits } from '../platform/config/config.ts'
import type { Db } from '../platform/db/db.ts'
import { systemClock } from '../platform/lib/clock.ts'
import { createSecretBox } from '../platform/lib/secret-box.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { createPaging } from '../platform/ports/paging.ts'
import { NO_TRACER } from '../platform/ports/tracer.ts'
import { createServiceKeys } from '../platform/service-keys/service-keys.ts'
import { createPublishedKeys } from '../platform/tenants/published-keys.ts'
import { createTokenKeys } from '../platform/tenants/token-keys.ts'
import { createFakeMedia } from './fake-media.ts'
import { createFakeStorage } from './fake-storage.ts'

/** Settings for tests: nothing of the machine's environment reaches them. */
export const TEST_ENVIRONMENT = {
  PUBLIC_URL: 'https://rooms.test',
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  LIVEKIT_URL: 'http://127.0.0.1:1',
  LIVEKIT_PUBLIC_URL: 'wss://media.test',
  LIVEKIT_API_KEY: 'testkey',
  LIVEKIT_API_SECRET: 'a-secret-that-only-tests-know-of',
  WEBHOOKS_ALLOW_PRIVATE_TARGETS: 'true',
  DRAIN_SEC: '0',
  // The provider of most tests is not there.
  MEDIA_PROBE_EVERY_SEC: '0',
  LOG_LEVEL: 'silent',
  // These tests are about concurrent requests, not about overload.
  REQUESTS_MAX: '1000',
  // The page sources instead of built pages: no test here looks into a built one.
  PAGES_DIR: path.resolve(import.meta.dirname, '../../../web'),
}

/** Waits that end with an event are long. Waits that nothing ends are short. */
const TEST_WAITS: Waits = {
  claimMs: 30_000,
  twinMs: 30_000,
  keyLeaseMs: 8_000,
  boardTickMs: 50,
  wantedLookMs: 50,
}

/** Dependencies on a real database with a media provider in memory; `overrides` replace the rest. */
export function createTestDeps(overrides: Partial<Deps> & { db: Db }): Deps {
  const config = overrides.config ?? { ...loadConfig(TEST_ENVIRONMENT), waits: TEST_WAITS }
  const deps = {
    media: createFakeMedia(),
    storage: createFakeStorage(),
    clock: systemClock,
    secretBox: createSecretBox(config.secretsKey, config.previousSecretsKey),
    paging: createPaging(config.secretsKey, config.previousSecretsKey),
    urgentDb: overrides.db,
    config,
    metrics: createMetrics(),
    tracer: NO_TRACER,
    stopping: new AbortController().signal,
    log: pino({ level: 'silent' }),
    ...overrides,
  }
  const publishedKeys = createPublishedKeys(deps)
  return {
    publishedKeys,
    tokenKeys: createTokenKeys({ publishedKeys, ...deps }),
    serviceKeys: createServiceKeys(deps),
    ...deps,
  }
}
