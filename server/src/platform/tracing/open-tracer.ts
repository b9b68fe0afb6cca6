import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { traceContext } from '../lib/trace.ts'
import type { Media } from '../ports/media.ts'
import type { Storage } from '../ports/storage.ts'
import { inSpan, type NewSpan, NO_TRACER, type Tracer } from '../ports/tracer.ts'

/** The configured tracer. Without one, nothing of OpenTelemetry is loaded. */
export async function openTracer(
  { tracing, role }: Pick<Config, 'tracing' | 'role'>,
  log: Logger,
): Promise<Tracer> {
  if (tracing === undefined) return NO_TRACER
  const { startTracer } = await import('./start-tracer.ts')
  return startTracer(tracing, { log, role })
}

type AsyncMethod = (...args: never[]) => Promise<unknown>

/** Names of the async methods of `T`. */
type AsyncMethodOf<T> = {
  [K in keyof T & string]: T[K] extends AsyncMethod ? K : never
}[keyof T & string]

/** Methods that call the provider. The others, such as signing a token, run locally. */
const MEDIA_CALLS: readonly AsyncMethodOf<Media>[] = [
  'ensureRoom',
  'deleteRoom',
  'listRooms',
  'listConnections',
  'removeConnection',
  'muteMicrophone',
  'updateRights',
  'startEgress',
  'stopEgress',
  'listEgress',
  'listRunning',
]

/** Methods that call the storage. The others, such as signing an address, run locally. */
const STORAGE_CALLS: readonly AsyncMethodOf<Storage>[] = [
  'put',
  'read',
  'head',
  'copy',
  'delete',
  'list',
  'listWithPrefix',
]

/** The media provider, with a span for each call within a trace; unchanged if nothing is traced. */
export function traceMedia(tracer: Tracer, media: Media): Media {
  if (tracer === NO_TRACER) return media
  return withSpans(tracer, { system: 'media', adapter: media, methods: MEDIA_CALLS })
}

/** The same for the storage. */
export function traceStorage(tracer: Tracer, storage: Storage): Storage {
  if (tracer === NO_TRACER) return storage
  return withSpans(tracer, { system: 'storage', adapter: storage, methods: STORAGE_CALLS })
}

/**
 * The adapter, with a client span around each call of these methods. A span's name has only the system and the method. Calls
 * outside of any trace, such as those of health checks, have none.
 */
function withSpans<T extends object>(
  tracer: Tracer,
  {
    system,
    adapter,
    methods,
  }: { system: string; adapter: T; methods: readonly AsyncMethodOf<T>[] },
): T {
  const traced = methods.map((method) => {
    const call = adapter[method] as AsyncMethod
    const named: NewSpan = { name: `${system} ${method}`, kind: 'client' }
    const run = (...args: never[]): Promise<unknown> =>
      traceContext() === undefined ? call(...args) : inSpan(tracer, named, () => call(...args))
    return [method, run]
  })
  return { ...adapter, ...Object.fromEntries(traced) }
}
