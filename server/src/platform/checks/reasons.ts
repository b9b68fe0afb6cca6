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
