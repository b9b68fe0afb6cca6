import { type DeviceKind, type DeviceProblem, deviceProblemOf } from '../devices/device-problem.ts'
import type { Scene } from './call-state.ts'
import type { JoinChoice, WatchMicrophone } from './call-tools.ts'
import type { MediaRoom } from './media-room.ts'

type OwnKind = 'microphone' | 'camera'

/** The longest time between the two notices of one mute. A signalling connection may be slow or reconnecting. */
const MUTE_SPREAD_MS = 5_000

/** The parts of the call that its devices use. */
interface Call {
  /** Undefined outside of the room, and while the connection is being replaced. */
  media(): MediaRoom | undefined
  scene(): Scene
  show(change: Partial<Scene>): void
  /** Reads the state of the media connection again. */
  refresh(): void
  watchMuted: WatchMicrophone
  watchSilence: WatchMicrophone
  /** Keeps a choice for the next connection of this call, and for joining again. */
  keep(choice: Partial<JoinChoice>): void
}

interface Exchange {
  /** The choice to keep for the next connection if none is up now. */
  wish: Partial<JoinChoice>
  /** Switches the device and returns the choice to keep. Throws the browser's error. */
  run(media: MediaRoom): Promise<Partial<JoinChoice>>
}

/** The own devices in a call. Handles what the owner, other people and the devices themselves do. */
export class OwnDevices {
  readonly #call: Call
  /** The provider has muted, and the live stream has not announced the request yet. */
  #isMuteAhead = false
  /** The live stream has announced a mute, and the provider may still mute until this time. */
  #isMuteDueUntilMs = 0
  #stopWatching: (() => void) | undefined
  /** The end of the running operation, by kind. Another device can be chosen only after it. */
  readonly #turning = new Map<DeviceKind, Promise<unknown>>()
  /** Kinds that are being switched. A device that is off meanwhile was not turned off by anybody. */
  readonly #exchanging = new Set<DeviceKind>()
  /** Retries the choice of a device that could not be used, by kind. */
  readonly #retries = new Map<DeviceKind, () => Promise<unknown>>()

  constructor(call: Call) {
    this.#call = call
  }

  async set(kind: OwnKind, isOn: boolean): Promise<void> {
    this.#call.keep(asWanted(kind, isOn))
    if (kind === 'microphone') this.#call.show({ isMuteAsked: false })
    const media = this.#call.media()
    if (media === undefined) return this.#showDone(kind, isOn)
    this.#call.show({ [kind]: 'starting' })
    const turning = kind === 'microphone' ? media.setMicrophone(isOn) : media.setCamera(isOn)
    this.#turning.set(kind, Promise.allSettled([this.#turned(kind), turning]))
    try {
      await turning
      if (!this.#isCurrent(media)) return
      this.#showDone(kind, isOn)
    } catch (error) {
      if (!this.#isCurrent(media)) return
      this.#setProblem(kind, error)
      this.#showOff(kind)
    }
    if (kind === 'microphone') this.#watchMicrophone(media)
    this.#call.refresh()
  }

  /** Shows the wanted state even before it is reached. After a drop, the next connection reaches it. */
  #showDone(kind: OwnKind, isOn: boolean): void {
    this.#setProblem(kind, undefined)
    this.#call.show({ [kind]: isOn ? 'on' : 'off' })
  }

  /** Results on a replaced connection do not count for the next one. */
  #isCurrent(media: MediaRoom): boolean {
    return this.#call.media() === media
  }

  /** The connection has dropped. Until the next one is up, the devices show the wanted state. */
  drop({ isMicrophoneOn, isCameraOn }: JoinChoice): void {
    this.rest()
    this.#call.show({
      microphone: isMicrophoneOn ? 'on' : 'off',
      camera: isCameraOn ? 'on' : 'off',
      isSpeakingWhileMuted: false,
      isMicrophoneSilent: false,
    })
  }

  /** False if the device cannot be used. The previous one stays in use, if it still works. */
  async switch(kind: DeviceKind, deviceId: string): Promise<boolean> {
    const choice = { [`${kind}Id`]: deviceId }
    return this.#exchange(kind, {
      wish: choice,
      run: async (media) => {
        await media.switchDevice(kind, deviceId)
        return choice
      },
    })
  }

  async flipCamera(): Promise<void> {
    await this.#exchange('camera', {
      wish: {},
      run: async (media) => {
        const cameraId = await media.flipCamera()
        return cameraId === undefined ? {} : { cameraId }
      },
    })
  }

  /** Retries after a problem: switches to the device that was chosen, or turns the device on. */
  async retry(kind: OwnKind): Promise<void> {
    const retry = this.#call.scene()[kind] === 'on' ? this.#retries.get(kind) : undefined
    await (retry === undefined ? this.set(kind, true) : retry())
  }

  async #exchange(kind: DeviceKind, exchange: Exchange): Promise<boolean> {
    const turn = this.#turned(kind).then(async () => this.#exchangeNow(kind, exchange))
    this.#turning.set(kind, turn)
    return turn
  }

  async #exchangeNow(kind: DeviceKind, exchange: Exchange): Promise<boolean> {
    const media = this.#call.media()
    if (media === undefined) {
      this.#setProblem(kind, undefined)
      this.#call.keep(exchange.wish)
      return true
    }
    this.#exchanging.add(kind)
    const result = await exchange.run(media).then(
      (choice) => ({ choice }),
      (error: unknown) => ({ error }),
    )
    this.#exchanging.delete(kind)
    if (!this.#isCurrent(media)) return this.#exchangeNow(kind, exchange)

    const isDone = 'choice' in result
    this.#setProblem(kind, isDone ? undefined : result.error)
    if (isDone) this.#call.keep(result.choice)
    else this.#retries.set(kind, async () => this.#exchange(kind, exchange))
    if (kind === 'microphone') this.#watchMicrophone(media)
    this.#call.refresh()
    return isDone
  }

  /** False if the browser cannot do it. */
  async reduceNoise(isOn: boolean): Promise<boolean> {
    this.#call.keep({ isNoiseReduced: isOn })
    try {
      await this.#call.media()?.reduceNoise(isOn)
      return true
    } catch {
      return false
    }
  }

  /** If the browser cannot blur, the camera is turned off and its owner sees the reason. */
  async blurBackground(isOn: boolean): Promise<void> {
    this.#call.keep({ isBackgroundBlurred: isOn })
    await this.#turned('camera')
    const media = this.#call.media()
    if (media === undefined) return
    try {
      await media.blurBackground(isOn)
      if (!this.#isCurrent(media)) return
      if (this.#call.scene().problems.camera === 'blur') this.#setProblem('camera', undefined)
    } catch (error) {
      if (!this.#isCurrent(media)) return
      this.#setProblem('camera', error)
    }
    this.#call.refresh()
  }

  /**
   * Waits for a running operation. Its failure is reported to its own caller, and the choice is applied all the same.
   */
  async #turned(kind: DeviceKind): Promise<void> {
    await this.#turning.get(kind)
  }

  /** Shares a screen, window or tab that the owner chooses, or stops sharing. */
  async shareScreen(isOn: boolean): Promise<void> {
    const media = this.#call.media()
    if (media === undefined) return this.#call.show({ screenShare: isOn ? 'failed' : 'off' })
    try {
      await media.setScreenShare(isOn)
      if (!this.#isCurrent(media)) return
      this.#call.show({ screenShare: isOn ? 'on' : 'off' })
    } catch (error) {
      if (!this.#isCurrent(media)) return
      this.#call.show({ screenShare: isChangeOfMind(error) ? 'off' : 'failed' })
    }
    this.#call.refresh()
  }

  /** A device is gone, or its permission was withdrawn. */
  lose(kind: OwnKind, problem: DeviceProblem): void {
    if (kind === 'microphone') this.#isMuteAhead = false
    if (this.#call.scene().replaced?.kind === kind) this.#call.show({ replaced: null })
    this.#showProblem(kind, problem)
  }

  /** The system silences a device. Its owner could not know, because the device is on. */
  silence(kind: OwnKind, isSilenced: boolean): void {
    const { [kind]: device, problems } = this.#call.scene()
    if (isSilenced && device === 'on') this.#showProblem(kind, 'busy')
    if (!isSilenced && problems[kind] === 'busy') this.#showProblem(kind, undefined)
  }

  /** The person has read the notice, and continues without the device. */
  dismissProblem(kind: OwnKind): void {
    this.#showProblem(kind, undefined)
  }

  /** Another device replaced one that is gone. */
  replace(kind: OwnKind, label: string): void {
    this.#showProblem(kind, undefined)
    this.#call.show({ replaced: { kind, label } })
    const media = this.#call.media()
    if (kind === 'microphone' && media !== undefined) this.#watchMicrophone(media)
    this.#call.refresh()
  }

  /** Shows devices that were turned off from outside: by a moderator, or because the device is gone. */
  follow(): void {
    const media = this.#call.media()
    if (media === undefined) return
    const scene = this.#call.scene()
    const { problems, screenShare } = scene
    const isOut = (kind: OwnKind) =>
      scene[kind] === 'on' && !media.isOn(kind) && !this.#exchanging.has(kind)
    const isSharing = media.isSharingScreen()
    if (isSharing !== (screenShare === 'on')) {
      this.#call.show({ screenShare: isSharing ? 'on' : 'off' })
    }
    if (isOut('camera')) this.#showOff('camera')
    if (!isOut('microphone')) return
    const isByProvider = problems.microphone === undefined
    if (isByProvider && performance.now() < this.#isMuteDueUntilMs) {
      this.#isMuteDueUntilMs = 0
      void this.set('microphone', true)
      return
    }
    this.#isMuteAhead = isByProvider
    this.#showOff('microphone')
    this.#watchMicrophone(media)
  }

  /**
   * A moderator's mute arrives in two ways, in either order: the provider mutes, and the live stream announces it.
   * The first one mutes, and the second one does nothing, so that a person who has unmuted in between stays unmuted.
   */
  async takeMuteRequest(): Promise<void> {
    const wasMuted = this.#isMuteAhead
    this.#isMuteAhead = false
    this.#isMuteDueUntilMs = wasMuted ? 0 : performance.now() + MUTE_SPREAD_MS
    const isOpen = this.#call.scene().microphone !== 'off'
    if (isOpen && wasMuted) return
    if (isOpen) await this.set('microphone', false)
    this.#call.show({ isMuteAsked: true })
  }

  /** Stops listening to the microphone. */
  rest(): void {
    this.#stopWatching?.()
    this.#stopWatching = undefined
  }

  /** Listens to the microphone as it is now. Call it whenever it is another one, or turned on or off. */
  #watchMicrophone(media: MediaRoom): void {
    this.rest()
    this.#call.show({ isSpeakingWhileMuted: false, isMicrophoneSilent: false })
    const track = media.microphoneTrack()
    if (track === undefined) return
    const { microphone } = this.#call.scene()
    if (microphone === 'off') {
      this.#stopWatching = this.#call.watchMuted(track, (isSpeakingWhileMuted) =>
        this.#call.show({ isSpeakingWhileMuted }),
      )
    }
    if (microphone === 'on') {
      this.#stopWatching = this.#call.watchSilence(track, (isMicrophoneSilent) =>
        this.#call.show({ isMicrophoneSilent }),
      )
    }
  }

  /** The device was turned off against its owner's wish. It stays off until they turn it on. */
  #showOff(kind: OwnKind): void {
    this.#call.keep(asWanted(kind, false))
    this.#call.show({ [kind]: 'off' })
  }

  #setProblem(kind: DeviceKind, error: unknown): void {
    this.#showProblem(kind, error === undefined ? undefined : deviceProblemOf(error))
  }

  #showProblem(kind: DeviceKind, problem: DeviceProblem | undefined): void {
    this.#retries.delete(kind)
    const { [kind]: _, ...problems } = this.#call.scene().problems
    const given = problem === undefined ? {} : { [kind]: problem }
    this.#call.show({ problems: { ...problems, ...given } })
  }
}

function asWanted(kind: OwnKind, isOn: boolean): Partial<JoinChoice> {
  return kind === 'microphone' ? { isMicrophoneOn: isOn } : { isCameraOn: isOn }
}

/** A cancelled choice of screens is no problem to show. A block by the system, which its message names, is one. */
function isChangeOfMind(error: unknown): boolean {
  if (!(error instanceof DOMException)) return false
  return error.name === 'NotAllowedError' && !/system/i.test(error.message)
}
