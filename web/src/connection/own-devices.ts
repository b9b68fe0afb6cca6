import { type DeviceKind, type DeviceProblem, deviceProblemOf } from '../devices/device-problem.ts'
import type { Scene } from './call-state.ts'
import type { JoinChoice, WatchMuted } from './call-tools.ts'
import type { MediaRoom } from './media-room.ts'

type OwnKind = 'microphone' | 'camera'

/** How far apart the two ways of one mute may arrive: a signalling connection that is slow, or renewed. */
const MUTE_SPREAD_MS = 5_000

/** The call, as its devices need it. */
interface Call {
  /** Undefined outside of the room, and while the connection is being replaced. */
  media(): MediaRoom | undefined
  scene(): Scene
  show(change: Partial<Scene>): void
  /** Reads again what the media connection says. */
  refresh(): void
  watchMuted: WatchMuted
  /** For a connection that takes the place of this one, and for joining again. */
  keep(choice: Partial<JoinChoice>): void
}

interface Exchange {
  /** What is kept of it for the next connection while there is none. */
  wish: Partial<JoinChoice>
  /** Takes another device. Answers what is to be kept of it; throws the browser's error. */
  run(media: MediaRoom): Promise<Partial<JoinChoice>>
}

/** The own devices in a call: what their owner, others and the devices themselves do to them. */
export class OwnDevices {
  readonly #call: Call
  /** The provider has muted, and the live stream has not announced the request yet. */
  #isMuteAhead = false
  /** The live stream has announced a mute, and the provider has not muted yet: until when it may. */
  #isMuteDueUntilMs = 0
  #stopWatching: (() => void) | undefined
  /** By kind, the end of what is being done with it: another device cannot be taken for it before. */
  readonly #turning = new Map<DeviceKind, Promise<unknown>>()
  /** What takes another device: until its end, one that is off is no wish of anybody. */
  readonly #exchanging = new Set<DeviceKind>()
  /** By kind, the choice of a device that could not be used. */
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
    if (kind === 'microphone') this.#watchWhileMuted(media)
    this.#call.refresh()
  }

  /** Also of what is only wanted yet: the connection that takes the place of a dropped one does it. */
  #showDone(kind: OwnKind, isOn: boolean): void {
    this.#setProblem(kind, undefined)
    this.#call.show({ [kind]: isOn ? 'on' : 'off' })
  }

  /** What becomes of a connection that was replaced says nothing of the device in the next one. */
  #isCurrent(media: MediaRoom): boolean {
    return this.#call.media() === media
  }

  /** The connection has dropped: until another one takes its place, the devices show what is wanted of them. */
  drop({ isMicrophoneOn, isCameraOn }: JoinChoice): void {
    this.rest()
    this.#call.show({
      microphone: isMicrophoneOn ? 'on' : 'off',
      camera: isCameraOn ? 'on' : 'off',
      isSpeakingWhileMuted: false,
    })
  }

  /** False where it cannot be used: the one before it is in use, where that still can. */
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

  /** Another try after a problem: of the device that was chosen while another is on, or to turn one on. */
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
    this.#call.refresh()
    return isDone
  }

  /** False where the browser cannot. */
  async reduceNoise(isOn: boolean): Promise<boolean> {
    this.#call.keep({ isNoiseReduced: isOn })
    try {
      await this.#call.media()?.reduceNoise(isOn)
      return true
    } catch {
      return false
    }
  }

  /** Where the browser cannot, the camera is off and its owner reads why. */
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

  /** A failure is reported to the caller that turned it on; a choice is made all the same. */
  async #turned(kind: DeviceKind): Promise<void> {
    await this.#turning.get(kind)
  }

  /** Shares the screen, a window or a tab, as its owner chooses; or ends that. */
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

  /** A device is gone, or may not be used any more. */
  lose(kind: OwnKind, problem: DeviceProblem): void {
    if (kind === 'microphone') this.#isMuteAhead = false
    if (this.#call.scene().replaced?.kind === kind) this.#call.show({ replaced: null })
    this.#showProblem(kind, problem)
  }

  /** The system lets nobody hear or see it: its owner would not know, because it is on. */
  silence(kind: OwnKind, isSilenced: boolean): void {
    const { [kind]: device, problems } = this.#call.scene()
    if (isSilenced && device === 'on') this.#showProblem(kind, 'busy')
    if (!isSilenced && problems[kind] === 'busy') this.#showProblem(kind, undefined)
  }

  /** The person has read it, and continues without the device. */
  dismissProblem(kind: OwnKind): void {
    this.#showProblem(kind, undefined)
  }

  /** Another device took the place of one that is gone. */
  replace(kind: OwnKind, label: string): void {
    this.#showProblem(kind, undefined)
    this.#call.show({ replaced: { kind, label } })
    this.#call.refresh()
  }

  /** Shows what was turned off from outside: by a moderator, or because the device is gone. */
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
    this.#watchWhileMuted(media)
  }

  /**
   * A moderator's mute comes in two ways, in either order: the provider mutes, and the live stream announces it.
   * The first one to arrive mutes, and the other does not: somebody who has unmuted since then stays unmuted.
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

  /** Listens to nothing any more. */
  rest(): void {
    this.#stopWatching?.()
    this.#stopWatching = undefined
  }

  #watchWhileMuted(media: MediaRoom): void {
    this.rest()
    this.#call.show({ isSpeakingWhileMuted: false })
    const track = media.microphoneTrack()
    if (track === undefined || this.#call.scene().microphone !== 'off') return
    this.#stopWatching = this.#call.watchMuted(track, (isSpeakingWhileMuted) =>
      this.#call.show({ isSpeakingWhileMuted }),
    )
  }

  /** Off against its owner's last wish, and off it stays until they turn it on. */
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

/** Cancelling the browser's choice of screens is no problem to show. A block by the system, which its message names, is one. */
function isChangeOfMind(error: unknown): boolean {
  if (!(error instanceof DOMException)) return false
  return error.name === 'NotAllowedError' && !/system/i.test(error.message)
}
