import type { Deps } from '../platform/ports/deps.ts'
import type { Options } from './options.ts'

export type AdminDeps = Pick<
  Deps,
  'db' | 'storage' | 'secretBox' | 'serviceKeys' | 'publishedKeys' | 'config' | 'clock'
>

/** The answer of a command: printed as JSON, or as lines for people. */
export type Answer = object | readonly object[]

export interface Command {
  /** The options that it needs, in the form of commander: `--tenant <id>`, or `--role <role...>` for several values. */
  needs?: readonly string[]
  /** The options that it takes besides. */
  takes?: readonly string[]
  summary: string
  /** Set for a command that encrypts, signs or hashes. With a key other than the service's, nobody could read the result. */
  usesSecretsKey?: true
  /** If it calls `write`, standard output is the written text, and the answer goes to standard error. */
  run(deps: AdminDeps, options: Options, write: (text: string) => void): Promise<Answer>
  /** True if the answer reports a failure: it is printed, and the exit code is 1. */
  hasFailed?(answer: Answer): boolean
}

/** By noun and verb; a noun alone has the verb ''. */
export type Commands = Record<string, Record<string, Command>>
