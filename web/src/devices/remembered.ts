const KEY = 'interview-room.devices'

/** What a person chose the last time, on this machine. */
export interface RememberedDevices {
  microphoneId?: string
  cameraId?: string
  speakerId?: string
  isMicrophoneOn: boolean
  isCameraOn: boolean
  /** Noise is taken out of the microphone. */
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
    // A browser that stores nothing asks again the next time.
  }
}
