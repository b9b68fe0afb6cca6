import type { Deps } from '../platform/ports/deps.ts'
import type { Options } from './options.ts'

export type AdminDeps = Pick<
  Deps,
  'db' | 'storage' | 'secretBox' | 'serviceKeys' | 'publishedKeys' | 'config' | 'clock'
>

/** What a command answers: printed as JSON, or as lines for people. */
export type Answer = object | readonly object[]

export interface Command {
  /** The options that it needs, in the form of commander: `--tenant <id>`, or `--role <role...>` for several values. */
  needs?: readonly string[]
  /** The options that it takes besides. */
  takes?: readonly string[]
  summary: string
  /** Whether it encrypts, signs or hashes: under a key that is not that of the service, nobody could read it. */
  usesSecretsKey?: true
  /** Where `write` is called, standard output is what was written, and the answer goes to standard error. */
  run(deps: AdminDeps, options: Options, write: (text: string) => void): Promise<Answer>
  /** Whether the answer is bad news: it is printed, and the exit code is 1. */
  hasFailed?(answer: Answer): boolean
}

/** By noun and verb; a noun alone has the verb ''. */
export type Commands = Record<string, Record<string, Command>>
