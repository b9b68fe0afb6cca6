interface AddressHistory {
  /** The URL that the file was first shown with. */
  first: string
  /** The most recently signed URL. */
  latest: string
  /** The URLs that failed to load. */
  failed: readonly string[]
}

/**
 * URLs of files are signed again and again, and each one is valid only for a while. A loaded URL stays in use until
 * it fails to load. Then the newest URL is tried, each one once.
 */
export function lastingUrl({ first, latest, failed }: AddressHistory): {
  url: string
  hasFailed: boolean
} {
  const url = failed.includes(first) ? latest : first
  return { url, hasFailed: failed.includes(url) }
}
