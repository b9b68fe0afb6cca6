import { type DeviceProblem, deviceProblemOf } from './device-problem.ts'

export type Check =
  | { status: 'off' }
  | { status: 'asking' }
  | { status: 'ready'; track: MediaStreamTrack }
  | { status: 'failed'; problem: DeviceProblem }

export interface DeviceOption {
  id: string
  label: string
}

export interface DeviceCheckState {
  microphone: Check
  camera: Check
  microphones: readonly DeviceOption[]
  cameras: readonly DeviceOption[]
  speakers: readonly DeviceOption[]
}

type Kind = 'microphone' | 'camera'

const OFF: Check = { status: 'off' }
const ASKING: Check = { status: 'asking' }
const PREVIEW_SIZE = { width: { ideal: 960 }, height: { ideal: 720 } }

/** Holds the preview's tracks outside of the view, and the list of what is plugged in. */
export class DeviceCheck {
  readonly #listeners = new Set<() => void>()
  #state: DeviceCheckState = {
    microphone: OFF,
    camera: OFF,
    microphones: [],
    cameras: [],
    speakers: [],
  }
  /** Grows with each request, so that an answer to an older one is dropped. */
  readonly #turn = { microphone: 0, camera: 0 }

  readonly getState = (): DeviceCheckState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Follows plugging and unplugging; answers how to stop. Needs no permission. */
  watchDevices(): () => void {
    const list = () => void this.#list()
    navigator.mediaDevices.addEventListener('devicechange', list)
    list()
    return () => navigator.mediaDevices.removeEventListener('devicechange', list)
  }

  /** Asks for both together, so that the browser shows one question; then for each alone. */
  async start(wanted: { microphoneId?: string; cameraId?: string }): Promise<void> {
    const turn = { microphone: this.#take('microphone'), camera: this.#take('camera') }
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: constraint(wanted.microphoneId),
        video: { ...constraint(wanted.cameraId), ...PREVIEW_SIZE },
      })
      this.#settle('microphone', turn.microphone, stream.getAudioTracks()[0])
      this.#settle('camera', turn.camera, stream.getVideoTracks()[0])
      await this.#list()
    } catch {
      // One of the two is missing or refused: only asking for each alone shows which.
      await this.use('microphone', wanted.microphoneId)
      await this.use('camera', wanted.cameraId)
    }
  }

  async use(kind: Kind, deviceId: string | undefined): Promise<void> {
    const turn = this.#take(kind)
    try {
      const stream = await navigator.mediaDevices.getUserMedia(
        kind === 'microphone'
          ? { audio: constraint(deviceId) }
          : { video: { ...constraint(deviceId), ...PREVIEW_SIZE } },
      )
      this.#settle(kind, turn, stream.getTracks()[0])
    } catch (error) {
      if (turn === this.#turn[kind]) {
        this.#set({ [kind]: { status: 'failed', problem: deviceProblemOf(error) } })
      }
    }
    await this.#list()
  }

  turnOff(kind: Kind): void {
    this.#take(kind)
    this.#set({ [kind]: OFF })
  }

  stop(): void {
    this.turnOff('microphone')
    this.turnOff('camera')
  }

  #take(kind: Kind): number {
    const current = this.#state[kind]
    if (current.status === 'ready') current.track.stop()
    this.#set({ [kind]: ASKING })
    this.#turn[kind] += 1
    return this.#turn[kind]
  }

  #settle(kind: Kind, turn: number, track: MediaStreamTrack | undefined): void {
    if (track === undefined) return
    if (turn !== this.#turn[kind]) {
      track.stop()
      return
    }
    this.#set({ [kind]: { status: 'ready', track } })
    track.addEventListener('ended', () => {
      if (turn === this.#turn[kind]) {
        this.#set({ [kind]: { status: 'failed', problem: 'not-found' } })
      }
    })
  }

  async #list(): Promise<void> {
    const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
    const of = (kind: MediaDeviceKind) =>
      devices
        // Before permission the browser lists devices without a name or id.
        .filter((device) => device.kind === kind && device.deviceId !== '')
        .map(({ deviceId, label }) => ({ id: deviceId, label }))
    this.#set({
      microphones: of('audioinput'),
      cameras: of('videoinput'),
      speakers: of('audiooutput'),
    })
  }

  #set(change: Partial<DeviceCheckState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

function constraint(deviceId: string | undefined): MediaTrackConstraints {
  return deviceId === undefined ? {} : { deviceId: { ideal: deviceId } }
}
