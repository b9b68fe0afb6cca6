import type { Statement } from '../statements.ts'

/** The work of one request outside of the service's own code, as recorded: its statements and its calls of the provider. */
export interface Floor {
  steps: readonly Step[]
  /** Values of the recorded request. Each replay has its own in their places. */
  samples: readonly string[]
  /** Ids that the service or the client made. Each replay makes new ones. */
  fresh: readonly string[]
  /** `data` of the recorded answer. */
  answer: unknown
}

/** A call of the provider, or the round trips on one connection: the statements of one are sent together. */
export type Step = 'provider' | Statement[][]

/** The body of a request to the raw handler. */
export interface Replay {
  /** Name of the floor. */
  name: string
  /** In place of `samples`, in their order. */
  values: readonly string[]
}

/** A value of a statement, made of the values of a replay. */
type Fill = (values: readonly string[]) => unknown

/** Finds the `samples` inside of a recorded value, also in lists and in longer texts. */
export function fillOf(value: unknown, samples: readonly string[]): Fill {
  if (Array.isArray(value)) {
    const parts = value.map((part) => fillOf(part, samples))
    return (values) => parts.map((part) => part(values))
  }
  if (typeof value !== 'string') return () => value
  const found = samples.flatMap((sample, at) => (value.includes(sample) ? [{ sample, at }] : []))
  const [first] = found
  if (first === undefined) return () => value
  if (first.sample === value) return (values) => values[first.at]
  return (values) =>
    found.reduce((text, { sample, at }) => text.replaceAll(sample, values[at] ?? ''), value)
}
