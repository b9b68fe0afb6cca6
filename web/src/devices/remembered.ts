const KEY = 'interview-room.devices'

/** The device choices of a person on this machine, kept for the next visit. */
export interface RememberedDevices {
  microphoneId?: string
  cameraId?: string
  speakerId?: string
  isMicrophoneOn: boolean
  isCameraOn: boolean
  /** Noise suppression of the microphone is on. */
  isNoiseReduced?: boolean
  /** The camera is shown only with its background blurred. */
  isBackgroundBlurred?: boolean
}

const FIRST_TIME: RememberedDevices = { isMicrophoneOn: true, isCameraOn: true }

export function recallDevices(): RememberedDevices {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<RememberedDevices>
    return { ...FIRST_TIME, ...stored }
  } catch {
    return FIRST_TIME
  }
}

export function rememberDevices(change: Partial<RememberedDevices>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...recallDevices(), ...change }))
  } catch {
    // A browser that stores nothing asks again at the next visit.
  }
}
