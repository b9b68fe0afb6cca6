import type { FastifyInstance } from 'fastify'
import type { Deps } from './deps.ts'

export interface AppOptions {
  /** More routes, registered at the root: the local playground comes in this way. */
  plugins?: readonly ((app: FastifyInstance) => Promise<void>)[]
}

export async function createApp(_deps: Deps, _options: AppOptions = {}): Promise<FastifyInstance> {
  throw new Error('not written yet')
}
