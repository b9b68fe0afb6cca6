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

/** Dependencies of operations. Each operation names the ones it uses: `Pick<Deps, 'db' | 'media'>`. */
export interface Deps {
  db: Db
  /** A few connections for urgent operations, which must not wait for others: ban, close and cancel. */
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
  /** This process's own metrics. */
  metrics: Metrics
  /** Spans of this process's work, if a collector takes them. */
  tracer: Tracer
  /** Aborted when the process is told to stop, before any part of it stops. */
  stopping: AbortSignal
  log: Logger
}

/** The dependencies of an urgent operation: its statements use connections of their own. */
export function urgent<D extends Pick<Deps, 'db' | 'urgentDb'>>(deps: D): D {
  return { ...deps, db: deps.urgentDb }
}
