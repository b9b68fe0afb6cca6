interface AddressHistory {
  /** With which the file was shown at first. */
  first: string
  /** Signed most recently. */
  latest: string
  /** From which it did not load. */
  failed: readonly string[]
}

/**
 * Addresses of files are signed again and again, and each lasts for a while only. What is loaded already stays, until
 * it fails to load: then the newest address is tried, each of them once.
 */
export function lastingUrl({ first, latest, failed }: AddressHistory): {
  url: string
  hasFailed: boolean
} {
  const url = failed.includes(first) ? latest : first
  return { url, hasFailed: failed.includes(url) }
}
