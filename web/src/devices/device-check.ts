import { BackgroundBlur } from './background-blur.ts'
import { type DeviceProblem, deviceProblemOf } from './device-problem.ts'

export type Check =
  | { status: 'off' }
  | { status: 'asking' }
  /** The camera is open, and its picture waits for the blur. */
  | { status: 'blurring' }
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

/** Ids of preferred devices. They are used if they are plugged in. */
interface WantedDevices {
  microphoneId?: string
  cameraId?: string
}

type Kind = 'microphone' | 'camera'
type NewBlur = (
  onFailure: () => void,
) => Pick<BackgroundBlur, 'init' | 'destroy' | 'processedTrack'>

interface DeviceCheckOptions {
  /** The camera is shown only with its background blurred. */
  isBlurred?: boolean
  newBlur?: NewBlur
}

const OFF: Check = { status: 'off' }
const ASKING: Check = { status: 'asking' }
const BLURRING: Check = { status: 'blurring' }
const inBrowser: NewBlur = (onFailure) => new BackgroundBlur(onFailure)
const PREVIEW_SIZE = { width: { ideal: 960 }, height: { ideal: 720 } }

/** Owns the preview's tracks outside of the view, and lists the plugged-in devices. */
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
  /** Ends the use of a device, by kind. */
  readonly #release: Partial<Record<Kind, () => void>> = {}
  readonly #newBlur: NewBlur
  #isBlurred: boolean

  constructor({ isBlurred = false, newBlur = inBrowser }: DeviceCheckOptions = {}) {
    this.#isBlurred = isBlurred
    this.#newBlur = newBlur
  }

  readonly getState = (): DeviceCheckState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Watches for plugging and unplugging, and returns a function that stops it. Needs no permission. If the browser
   * offers no devices, as on an insecure connection, the list is empty. People who only watch need none.
   */
  watchDevices(): () => void {
    const devices = availableDevices()
    if (devices === undefined) return () => {}
    const list = () => void this.#list()
    devices.addEventListener('devicechange', list)
    list()
    return () => devices.removeEventListener('devicechange', list)
  }

  /**
   * Asks for both devices together, so that the browser shows one question. If that fails, asks for each one
   * separately.
   */
  async start(wanted: WantedDevices): Promise<void> {
    const turn = { microphone: this.#take('microphone'), camera: this.#take('camera') }
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: constraint(wanted.microphoneId),
        video: { ...constraint(wanted.cameraId), ...PREVIEW_SIZE },
      })
      void this.#settle('microphone', turn.microphone, stream.getAudioTracks()[0])
      const shown = this.#settle('camera', turn.camera, stream.getVideoTracks()[0])
      await this.#list()
      await shown
    } catch {
      // One of the two is missing or refused. Ask for each one separately to find out which. Skip a device that was
      // given up meanwhile, because nothing would ever release it.
      const isWanted = (kind: Kind) => turn[kind] === this.#turn[kind]
      if (isWanted('microphone')) await this.use('microphone', wanted.microphoneId)
      if (isWanted('camera')) await this.use('camera', wanted.cameraId)
    }
  }

  /** Starts both devices, but leaves a camera off that its owner had turned off. */
  async startAsWished(wish: WantedDevices & { isCameraOn: boolean }): Promise<void> {
    await (wish.isCameraOn ? this.start(wish) : this.use('microphone', wish.microphoneId))
  }

  async use(kind: Kind, deviceId: string | undefined): Promise<void> {
    const turn = this.#take(kind)
    try {
      const stream = await navigator.mediaDevices.getUserMedia(
        kind === 'microphone'
          ? { audio: constraint(deviceId) }
          : { video: { ...constraint(deviceId), ...PREVIEW_SIZE } },
      )
      await this.#settle(kind, turn, stream.getTracks()[0])
    } catch (error) {
      if (turn === this.#turn[kind]) {
        this.#set({ [kind]: { status: 'failed', problem: deviceProblemOf(error) } })
      }
    }
    await this.#list()
  }

  /** Turns the blur of the camera on or off. A camera that is off stays off. */
  async blur(isBlurred: boolean, cameraId: string | undefined): Promise<void> {
    this.#isBlurred = isBlurred
    if (this.#state.camera.status !== 'off') await this.use('camera', cameraId)
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
    this.#release[kind]?.()
    delete this.#release[kind]
    this.#set({ [kind]: ASKING })
    this.#turn[kind] += 1
    return this.#turn[kind]
  }

  async #settle(kind: Kind, turn: number, track: MediaStreamTrack | undefined): Promise<void> {
    if (track === undefined) return
    if (turn !== this.#turn[kind]) {
      track.stop()
      return
    }
    track.addEventListener('ended', () => this.#fail(kind, turn, 'not-found'))
    this.#release[kind] = () => track.stop()
    if (kind === 'camera' && this.#isBlurred) await this.#settleBlurred(turn, track)
    else this.#set({ [kind]: { status: 'ready', track } })
  }

  async #settleBlurred(turn: number, source: MediaStreamTrack): Promise<void> {
    const fail = () => this.#fail('camera', turn, 'blur')
    const blur = this.#newBlur(fail)
    this.#release.camera = () => {
      source.stop()
      void blur.destroy()
    }
    this.#set({ camera: BLURRING })
    try {
      await blur.init({ track: source })
    } catch {
      return fail()
    }
    const { processedTrack: track } = blur
    const isWaiting = turn === this.#turn.camera && this.#state.camera === BLURRING
    if (isWaiting && track !== undefined) this.#set({ camera: { status: 'ready', track } })
  }

  /** Records a failure, unless the device was given up since this turn. */
  #fail(kind: Kind, turn: number, problem: DeviceProblem): void {
    if (turn !== this.#turn[kind]) return
    this.#release[kind]?.()
    this.#set({ [kind]: { status: 'failed', problem } })
  }

  async #list(): Promise<void> {
    const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
    const of = (kind: MediaDeviceKind) =>
      devices
        // Before permission, the browser lists devices without a name or id.
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

function availableDevices(): MediaDevices | undefined {
  return navigator.mediaDevices
}

function constraint(deviceId: string | undefined): MediaTrackConstraints {
  return deviceId === undefined ? {} : { deviceId: { ideal: deviceId } }
}
