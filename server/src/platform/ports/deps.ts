import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Clock } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Media } from './media.ts'
import type { Paging } from './paging.ts'
import type { ServiceKeys } from './service-keys.ts'
import type { Storage } from './storage.ts'
import type { PublishedKeys, TokenKeys } from './token-key.ts'
import type { Tracer } from './tracer.ts'

/** What operations may be given. Each names the ones it touches: `Pick<Deps, 'db' | 'media'>`. */
export interface Deps {
  db: Db
  /** A few connections for what must not wait behind others: ban, close and cancel. */
  urgentDb: Db
  media: Media
  storage: Storage
  paging: Paging
  clock: Clock
  /** Keys by which tenants sign, at addresses of their own. */
  publishedKeys: PublishedKeys
  tokenKeys: TokenKeys
  /** Keys by which this service signs. */
  serviceKeys: ServiceKeys
  /** Encrypts what must be recoverable: webhook secrets, the service's private keys. */
  secretBox: SecretBox
  config: Config
  /** What this process counts of itself. */
  metrics: Metrics
  /** Spans of what this process does, where a collector takes them. */
  tracer: Tracer
  /** Aborted when the process is asked to stop, before anything of it stops. */
  stopping: AbortSignal
  log: Logger
}

/** What an urgent operation is given: its statements have connections of their own. */
export function urgent<D extends Pick<Deps, 'db' | 'urgentDb'>>(deps: D): D {
  return { ...deps, db: deps.urgentDb }
}
