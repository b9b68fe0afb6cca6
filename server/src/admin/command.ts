import type { Deps } from '../deps.ts'
import type { Options } from './options.ts'

export type AdminDeps = Pick<Deps, 'db' | 'secretBox' | 'config' | 'clock'>

/** What a command answers: printed as JSON, or as lines for people. */
export type Answer = object | readonly object[]

export interface Command {
  /** The options, as they stand in the help. */
  usage: string
  summary: string
  run(deps: AdminDeps, options: Options): Promise<Answer>
}

export type Commands = Record<string, Record<string, Command>>
