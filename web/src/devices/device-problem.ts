export type DeviceKind = 'microphone' | 'camera' | 'speaker'
export type DeviceProblem = 'denied' | 'not-found' | 'busy' | 'failed' | 'blur'

/** The browser's error names, old and new, and our own -> the problems that the page explains. */
const PROBLEMS: Record<string, DeviceProblem> = {
  NotAllowedError: 'denied',
  PermissionDeniedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'not-found',
  DevicesNotFoundError: 'not-found',
  OverconstrainedError: 'not-found',
  NotReadableError: 'busy',
  TrackStartError: 'busy',
  AbortError: 'busy',
  BlurFailure: 'blur',
}

export function deviceProblemOf(error: unknown): DeviceProblem {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  return PROBLEMS[name] ?? 'failed'
}
