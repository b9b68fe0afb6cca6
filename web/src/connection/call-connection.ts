import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import type { DeviceKind } from '../devices/device-problem.ts'
import type { LiveRoom } from '../live/live-room.ts'
import { AdmissionCheck } from './admission-check.ts'
import {
  afterAnswer,
  consentsOf,
  eventOf,
  type GivenAnswer,
  isTurnedAway,
  questionsOf,
} from './call-consents.ts'
import {
  type CallEvent,
  type CallState,
  EMPTY_SCENE,
  isInRoom,
  nextState,
  type Scene,
} from './call-state.ts'
import { type CallTools, factsOf, type JoinChoice, sceneNow, type Visit } from './call-tools.ts'
import { Diagnosis } from './diagnosis.ts'
import type { CheckedCredential } from './live-api.ts'
import type { DeviceChoice, Ending, MediaRoom } from './media-room.ts'
import { OwnDevices } from './own-devices.ts'
import { Pause } from './pause.ts'
import { PointerChannel } from './pointer-channel.ts'
import { recover, whyEnded } from './recover.ts'
import { DECLINED, REMOVED, type Refusal, UNAVAILABLE, WITHDRAWN } from './refusal.ts'
import { TicketKeeper } from './ticket-keeper.ts'

/** The call. Holds its state outside of the view, and causes the effects that go with it. */
export class CallConnection {
  readonly #tools: CallTools
  readonly #listeners = new Set<() => void>()
  #state: CallState = { phase: 'checking' }
  #visit: Visit | undefined
  #lastChoice: JoinChoice | undefined
  #lastLive: LiveRoom | undefined
  /** Grows with each attempt to enter and each leaving, so that a late entry is dropped. */
  #turn = 0
  readonly #devices: OwnDevices
  readonly #admission: AdmissionCheck
  readonly #diagnosis: Diagnosis
  readonly #pause = new Pause()
  readonly pointer = new PointerChannel(() => this.#visit?.media)

  constructor(tools: CallTools) {
    this.#tools = tools
    const own = { state: this.getState, apply: (event: CallEvent) => this.#apply(event) }
    this.#admission = new AdmissionCheck({ api: tools.api, ...own })
    const answers = async () => tools.answersAt(this.#visit?.tickets.media.url ?? '')
    this.#diagnosis = new Diagnosis({ answers, ...own })
    this.#devices = new OwnDevices({
      media: () => {
        const isUp = isInRoom(this.#state) && this.#visit?.isMediaUp === true
        return isUp ? this.#visit?.media : undefined
      },
      scene: () => this.#currentScene(),
      show: (scene) => this.#apply({ type: 'changed', scene }),
      refresh: () => this.#refresh(),
      watchMuted: tools.watchMuted,
      watchSilence: tools.watchSilence,
      keep: (choice) => Object.assign(this.#visit?.choice ?? {}, choice),
    })
  }

  readonly getState = (): CallState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The live room of the newest visit. It can be used after the visit, because the visit's ticket outlives it. */
  get live(): LiveRoom | undefined {
    return this.#lastLive
  }

  /** Asks if the person may enter, before anything is asked of them. */
  readonly check = async (credential: CheckedCredential) => this.#admission.begin(credential)

  /** Asks again: while waiting, or after the service could not be reached. */
  async checkAgain(): Promise<void> {
    await this.#admission.again()
  }

  /** The person who has waited continues to the device check. */
  prepare(): void {
    this.#apply({ type: 'prepared' })
  }

  async join(choice: JoinChoice): Promise<void> {
    if (['joining', 'consent'].includes(this.#state.phase) || isInRoom(this.#state)) return
    this.#lastChoice = choice
    this.#turn += 1
    const turn = this.#turn
    this.#apply({ type: 'joining' })

    const answer = await this.#tools.api.enter(choice.credential)
    // The page has failed meanwhile. Nobody may be seen or heard by a page on which they cannot see it.
    if (turn !== this.#turn) return
    if (!answer.ok) return this.#apply({ type: 'refused', refusal: answer.refusal })
    await this.#begin(choice, answer.data)
  }

  async #begin(choice: JoinChoice, entry: EntryBody): Promise<void> {
    const tickets = new TicketKeeper(this.#tools.api, entry)
    const live = this.#tools.openLive({
      entry,
      tickets,
      onEnded: (refusal) => {
        if (this.#visit?.tickets === tickets) this.#end(refusal)
      },
      onMuteRequested: () => {
        if (this.#visit?.tickets === tickets) this.#takeMuteRequest(this.#visit)
      },
    })
    const media = this.#openMedia(entry, choice)
    const consents = consentsOf(entry)
    const questions = questionsOf(consents)
    const mine = { choice: { ...choice }, isMediaUp: false }
    const visit = { ...mine, entry, tickets, live, media, consents, questions }
    this.#visit = visit
    if (this.#lastLive !== undefined) live.takeOver(this.#lastLive)
    this.#lastLive = live
    // The choice as it was changed in the room. Joining again must not turn on a device that was turned off.
    this.#lastChoice = visit.choice
    if (!this.#askNext(visit)) await this.#connect(visit).catch(() => this.#recover())
  }

  /** False if no question is left. */
  #askNext({ questions, consents }: Visit): boolean {
    const [purpose] = questions
    if (purpose === undefined) return false
    this.#apply({ type: 'asked', purpose, isLast: questions.length === 1, consents })
    return true
  }

  #takeMuteRequest({ choice }: Visit): void {
    if (isInRoom(this.#state)) void this.#devices.takeMuteRequest()
    // While entering: the page must not open a microphone that was muted meanwhile.
    else choice.isMicrophoneOn = false
  }

  /** Answers a consent question during entry, then continues or leaves. False if the service could not be reached. */
  async answerConsent(given: GivenAnswer): Promise<boolean> {
    const visit = this.#visit
    if (visit === undefined || this.#state.phase !== 'consent') return false
    if (!(await this.#noteAnswer(visit, given))) return false
    // The person was removed while the answer was on its way, and the page shows that already.
    if (this.#visit !== visit) return true

    visit.questions = visit.questions.slice(1)
    if (isTurnedAway(visit.consents) && given.purpose === 'recording') this.#end(DECLINED)
    else if (!this.#askNext(visit)) await this.#connectAnew(visit)
    return true
  }

  /** Changes a consent in the room: it is given later or withdrawn. */
  async changeConsent(given: GivenAnswer): Promise<boolean> {
    const visit = this.#visit
    if (visit === undefined || !isInRoom(this.#state)) return false
    if (!(await this.#noteAnswer(visit, given))) return false
    if (this.#visit !== visit) return true
    this.#apply({ type: 'consented', consents: visit.consents })
    if (isTurnedAway(visit.consents)) this.#end(WITHDRAWN)
    return true
  }

  async #noteAnswer(visit: Visit, given: GivenAnswer): Promise<boolean> {
    const event = eventOf(visit.consents, given)
    const answer = await visit.live.request<'postRoomEvent'>('POST', '/events', event)
    if (answer.ok) visit.consents = afterAnswer(visit.consents, given)
    return answer.ok
  }

  /**
   * Connects with a media token issued after the answers. The first token was issued before them and does not allow
   * to send.
   */
  async #connectAnew(visit: Visit): Promise<void> {
    this.#apply({ type: 'joining' })
    const answer = await visit.tickets.renew()
    if (this.#visit !== visit) return
    if (answer.ok) await this.#connect(visit).catch(() => this.#recover())
    else await this.#recover()
  }

  /** Joins again with the device choices of the prejoin page, including later changes in the room. */
  async joinAgain(): Promise<void> {
    if (this.#lastChoice === undefined) await this.checkAgain()
    else await this.join(this.#lastChoice)
  }

  /** The person stops waiting for a connection that does not come up. */
  readonly stopJoining = (): void => this.#end(UNAVAILABLE)

  async leave(): Promise<void> {
    const visit = this.#endVisit()
    this.#apply({ type: 'left' })
    await visit?.media.close()
  }

  readonly setMicrophone = async (isOn: boolean) => this.#devices.set('microphone', isOn)

  readonly setCamera = async (isOn: boolean) => this.#devices.set('camera', isOn)

  readonly shareScreen = async (isOn: boolean) => this.#devices.shareScreen(isOn)

  readonly switchDevice = async (kind: DeviceKind, id: string) => this.#devices.switch(kind, id)

  readonly retryDevice = async (kind: 'microphone' | 'camera') => this.#devices.retry(kind)

  readonly reduceNoise = async (isOn: boolean) => this.#devices.reduceNoise(isOn)

  readonly blurBackground = async (isOn: boolean) => this.#devices.blurBackground(isOn)

  readonly flipCamera = async () => this.#devices.flipCamera()

  /** Called when the page, the device or the network wakes up. Retries everything that was postponed. */
  wake(): void {
    this.#pause.end()
    if (isInRoom(this.#state)) void this.startAudio().catch(() => {})
  }

  /** The person has read that another device is in use. */
  dismissReplaced(): void {
    this.#apply({ type: 'changed', scene: { replaced: null } })
  }

  /** The person has read the notice about a device. */
  readonly dismissProblem = (kind: 'microphone' | 'camera') => this.#devices.dismissProblem(kind)

  /** The person has read that the moderator asked to mute. */
  dismissMuteRequest(): void {
    this.#apply({ type: 'changed', scene: { isMuteAsked: false } })
  }

  async startAudio(): Promise<void> {
    await this.#visit?.media.startAudio()
    this.#refresh()
  }

  #openMedia(entry: EntryBody, devices: DeviceChoice): MediaRoom {
    // Events of a replaced connection must not move the call.
    const ifCurrent = (act: () => void) => () => {
      if (this.#visit?.media === media) act()
    }
    const media: MediaRoom = this.#tools.openMediaRoom({
      room: entry.room,
      devices,
      on: {
        changed: ifCurrent(() => this.#refresh()),
        signalled: ifCurrent(() => this.#apply({ type: 'reached', stage: 'media' })),
        interrupted: ifCurrent(() => this.#apply({ type: 'interrupted' })),
        resumed: ifCurrent(() => {
          this.#apply({ type: 'resumed' })
          this.#refresh()
          // A full reconnect is a new media connection, and the service records each one.
          void this.#visit?.tickets.reportConnected(media.sid())
        }),
        ended: (ending) => ifCurrent(() => void this.#onEnded(ending))(),
        deviceLost: (kind, problem) => ifCurrent(() => this.#devices.lose(kind, problem))(),
        deviceSilenced: (kind, is) => ifCurrent(() => this.#devices.silence(kind, is))(),
        pointed: (message) => ifCurrent(() => this.pointer.receive(message))(),
        deviceReplaced: (kind, label) => ifCurrent(() => this.#devices.replace(kind, label))(),
      },
    })
    return media
  }

  async #connect(visit: Visit): Promise<void> {
    const { media, tickets } = visit
    this.#apply({ type: 'reached', stage: 'signalling' })
    await media.connect(tickets.media)
    if (this.#visit !== visit) return media.close()
    visit.isMediaUp = true

    const nothingYet = {
      microphone: 'off',
      camera: 'off',
      screenShare: 'off',
      people: media.people(),
    } as const
    const scene = { ...this.#currentScene(), ...nothingYet }
    this.#apply({ type: 'connected', facts: factsOf(visit), scene })
    this.#refresh()
    void tickets.reportConnected(media.sid())
    if (visit.choice.isMicrophoneOn) await this.setMicrophone(true)
    // The connection dropped meanwhile. The next one starts with the choices of then.
    if (visit.media === media && visit.choice.isCameraOn) await this.setCamera(true)
  }

  async #onEnded(ending: Ending): Promise<void> {
    const visit = this.#visit
    if (visit === undefined || !isInRoom(this.#state)) return
    const wasUp = visit.isMediaUp
    visit.isMediaUp = false
    if (ending === 'closed' || ending === 'removed') {
      const refusal = await whyEnded(visit.tickets)
      // The live stream ended this visit during the request, and the person may have joined again since.
      if (this.#visit !== visit) return
      if (refusal !== undefined) return this.#end(refusal)
      // Only the provider has lost its room, for example because it was deleted there. The interview continues in a
      // new one.
      if (ending === 'removed') return this.#end(REMOVED)
    }
    // `#connect` handles a connection that never came up, by its rejection. A connection was taken over by a newer
    // entry of the person, or by an older page that was offline. Only the newest entry has a valid ticket.
    if (!wasUp) return
    this.#apply({ type: 'interrupted' })
    this.#devices.drop(visit.choice)
    await this.#recover()
  }

  async #recover(): Promise<void> {
    const visit = this.#visit
    if (visit === undefined) return
    const refusal = await recover({
      pause: this.#pause,
      tickets: visit.tickets,
      isWanted: () => this.#visit === visit,
      isPatient: () => !isInRoom(this.#state),
      reconnect: async () => this.#replaceMedia(visit),
    })
    if (refusal !== undefined) this.#end(refusal)
  }

  async #replaceMedia(visit: Visit): Promise<boolean> {
    this.#devices.rest()
    void visit.media.close().catch(() => {})
    visit.media = this.#openMedia(visit.entry, visit.choice)
    try {
      await this.#connect(visit)
      return true
    } catch {
      return false
    }
  }

  #refresh(): void {
    const scene = sceneNow(this.#state, this.#visit)
    if (scene === undefined) return
    this.#apply({ type: 'changed', scene })
    // A connection that is being replaced sends nothing for a while, although nobody turned anything off.
    if (this.#state.phase === 'live') this.#devices.follow()
  }

  #end(refusal: Refusal): void {
    const visit = this.#endVisit()
    this.#apply({ type: 'refused', refusal })
    void visit?.media.close().catch(() => {})
  }

  #endVisit(): Visit | undefined {
    this.#turn += 1
    const visit = this.#visit
    this.#visit = undefined
    this.#devices.rest()
    visit?.tickets.stop()
    visit?.live.close()
    return visit
  }

  #currentScene(): Scene {
    return isInRoom(this.#state) ? this.#state.scene : EMPTY_SCENE
  }

  #apply(event: CallEvent): void {
    const next = nextState(this.#state, event)
    if (next === this.#state) return
    this.#state = next
    this.#diagnosis.follow(next)
    for (const listener of this.#listeners) listener()
  }
}
