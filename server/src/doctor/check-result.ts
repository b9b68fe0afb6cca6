/** `warn` leaves the exit code at 0; `skipped` says which other check must pass first. */
type Result = 'ok' | 'warn' | 'fail' | 'skipped'

/** The result of one check. It never contains a secret or a signed address. */
export interface Outcome {
  result: Result
  /** In plain words, one line. */
  detail: string
  /** The change that fixes it; only with `warn` and `fail`. */
  mend?: string
}

export interface CheckResult extends Outcome {
  /** Stable name, which is the same as that of the readiness check, if there is one. */
  check: string
}

export const ok = (detail: string): Outcome => ({ result: 'ok', detail })
export const skipped = (detail: string): Outcome => ({ result: 'skipped', detail })
export const warn = (detail: string, mend: string): Outcome => ({ result: 'warn', detail, mend })
export const fail = (detail: string, mend: string): Outcome => ({ result: 'fail', detail, mend })

/** Longer than the slowest check waits for its parts. */
const CHECK_MS = 45_000

/** Runs a check. An error or a timeout becomes a failure with `mend`. */
export async function examine(
  check: string,
  mend: string,
  run: () => Promise<Outcome>,
): Promise<CheckResult> {
  const { promise: timeout, resolve } = Promise.withResolvers<Outcome>()
  const timer = setTimeout(() => resolve(fail('gave no answer in time', mend)), CHECK_MS)
  const answer = run().catch((error: unknown) => fail(reasonOf(error), mend))
  try {
    return { check, ...(await Promise.race([answer, timeout])) }
  } finally {
    clearTimeout(timer)
  }
}

/** Name, code or message of the error. Errors of `fetch` hide theirs in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof AggregateError) return codeOf(cause) ?? error.message
  if (cause instanceof Error) return codeOf(cause) ?? cause.message
  return codeOf(error) ?? error.message
}

/** By the code at the end of a reason; `setting` names the address. */
const NETWORK_FAULTS: readonly (readonly [code: RegExp, words: (setting: string) => string])[] = [
  [/ECONNREFUSED$/, (setting) => `nothing answers at ${setting}`],
  [/(ENOTFOUND|EAI_AGAIN)$/, (setting) => `the name in ${setting} cannot be resolved`],
  [/(ETIMEDOUT|AbortError|TimeoutError)$/, (setting) => `no answer comes from ${setting}`],
  [
    /(CERT|LEAF_SIGNATURE)\w*$/,
    (setting) =>
      `the certificate at ${setting} is not trusted: renew it, or name its authority in NODE_EXTRA_CA_CERTS`,
  ],
]

/** The failure in words, if it comes from the network. */
export function networkFault(reason: string, setting: string): string | undefined {
  const words = NETWORK_FAULTS.find(([code]) => code.test(reason))?.[1]
  return words && `${words(setting)} (${reason})`
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^E[A-Z_]+$|^UND_|^CERT_/.test(code)
    ? `${code}${error.message === '' || error.message.includes(code) ? '' : `: ${error.message}`}`
    : undefined
}
