interface Asked {
  room: { isRecorded: boolean }
  capabilities: { isAskedForConsent: boolean }
  consent: 'given' | 'declined' | null
}

/** Whoever declined may think again, so only a consent that was given is not asked for once more. */
export function needsConsent({ room, capabilities, consent }: Asked): boolean {
  return room.isRecorded && capabilities.isAskedForConsent && consent !== 'given'
}
