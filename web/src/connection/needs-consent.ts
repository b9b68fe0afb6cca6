interface ConsentState {
  capabilities: { isAskedForConsent: boolean }
  consent: 'given' | 'declined' | null
}

/**
 * Any room may be recorded, by itself or by a moderator. Whoever declined may think again, so only a
 * consent that was given is not asked for once more.
 */
export function needsConsent({ capabilities, consent }: ConsentState): boolean {
  return capabilities.isAskedForConsent && consent !== 'given'
}
