import type { Consent, EntryBody } from '@interview-room/contract/live-entry.ts'
import type { LiveRoom } from '../live/live-room.ts'
import {
  type CallEvent,
  type CallFacts,
  type CallState,
  type DeviceKind,
  EMPTY_SCENE,
  isInRoom,
  nextState,
  type Scene,
} from './call-state.ts'
import { deviceProblemOf } from './device-problem.ts'
import type { Credential, LiveApi } from './live-api.ts'
import type { DeviceChoice, Ending, MediaRoom, OpenMediaRoom } from './media-room.ts'
import { needsConsent } from './needs-consent.ts'
import { CLOSED, DECLINED, ELSEWHERE, LOST, REMOVED, type Refusal } from './refusal.ts'
import { TicketKeeper } from './ticket-keeper.ts'

/** After the provider's own attempts have failed: waits before each fresh connection. */
const RECOVERY_DELAYS_MS = [500, 2_000, 5_000, 10_000]

export interface JoinChoice extends DeviceChoice {
  credential: Credential
  isMicrophoneOn: boolean
  isCameraOn: boolean
}

/** Listens to the own muted microphone; answers how to stop. */
export type WatchMuted = (
  track: MediaStreamTrack,
  onSpeaking: (isSpeaking: boolean) => void,
) => () => void

export interface LiveOptions {
  entry: EntryBody
  tickets: TicketKeeper
  /** The live stream said that the visit is over. */
  onEnded: (refusal: Refusal) => void
}

export interface CallTools {
  api: LiveApi
  openMediaRoom: OpenMediaRoom
  openLive: (options: LiveOptions) => LiveRoom
  watchMuted: WatchMuted
}

/** One attempt to be in the room, from the gate to the end. */
interface Visit {
  choice: JoinChoice
  entry: EntryBody
  tickets: TicketKeeper
  live: LiveRoom
  media: MediaRoom
}

/** The call: holds its state outside of the view, and everything that must happen for it. */
export class CallConnection {
  readonly #tools: CallTools
  readonly #listeners = new Set<() => void>()
  #state: CallState = { phase: 'lobby' }
  #visit: Visit | undefined
  #lastChoice: JoinChoice | undefined
  #stopWatching: (() => void) | undefined

  constructor(tools: CallTools) {
    this.#tools = tools
  }

  readonly getState = (): CallState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What is live in the room besides media, while one is in it. */
  get live(): LiveRoom | undefined {
    return this.#visit?.live
  }

  async join(choice: JoinChoice): Promise<void> {
    if (['joining', 'consent'].includes(this.#state.phase) || isInRoom(this.#state)) return
    this.#lastChoice = choice
    this.#apply({ type: 'joining' })

    const answer = await this.#tools.api.enter(choice.credential)
    if (!answer.ok) return this.#apply({ type: 'refused', refusal: answer.refusal })

    const entry = answer.data
    const tickets = new TicketKeeper(this.#tools.api, entry)
    const live = this.#tools.openLive({
      entry,
      tickets,
      onEnded: (refusal) => {
        if (this.#visit?.tickets === tickets) this.#end(refusal)
      },
    })
    const media = this.#openMedia(entry, choice)
    this.#visit = { choice: { ...choice }, entry, tickets, live, media }
    if (needsConsent(entry)) return this.#apply({ type: 'asked' })
    await this.#connect(this.#visit).catch(() => this.#recover())
  }

  /** Tells the service, and goes on or goes away; answers false when it could not be told. */
  async answerConsent(consent: Consent): Promise<boolean> {
    const visit = this.#visit
    if (visit === undefined || this.#state.phase !== 'consent') return false
    const event = { event_type: `consent.${consent}` }
    const answer = await visit.live.request('POST', '/events', event)
    if (!answer.ok) return false
    // Put out while the answer was under way: the page says so already.
    if (this.#visit !== visit) return true

    if (consent === 'declined') {
      this.#end(DECLINED)
      return true
    }
    this.#apply({ type: 'joining' })
    await this.#connect(visit).catch(() => this.#recover())
    return true
  }

  /** Joins once more with what was chosen before; from the pages that offer it. */
  async joinAgain(): Promise<void> {
    if (this.#lastChoice !== undefined) await this.join(this.#lastChoice)
  }

  async leave(): Promise<void> {
    const visit = this.#endVisit()
    this.#apply({ type: 'left' })
    await visit?.media.close()
  }

  async setMicrophone(isOn: boolean): Promise<void> {
    await this.#setDevice('microphone', isOn)
  }

  async setCamera(isOn: boolean): Promise<void> {
    await this.#setDevice('camera', isOn)
  }

  async switchDevice(kind: DeviceKind, deviceId: string): Promise<void> {
    const visit = this.#visit
    if (visit === undefined) return
    try {
      await visit.media.switchDevice(kind, deviceId)
      this.#setProblem(kind, undefined)
    } catch (error) {
      this.#setProblem(kind, error)
    }
    this.#refresh()
  }

  async startAudio(): Promise<void> {
    await this.#visit?.media.startAudio()
    this.#refresh()
  }

  #openMedia(entry: EntryBody, devices: DeviceChoice): MediaRoom {
    // Events of a connection that was replaced must not move the call.
    const ifCurrent = (act: () => void) => () => {
      if (this.#visit?.media === media) act()
    }
    const media: MediaRoom = this.#tools.openMediaRoom({
      room: entry.room,
      devices,
      on: {
        changed: ifCurrent(() => this.#refresh()),
        interrupted: ifCurrent(() => this.#apply({ type: 'interrupted' })),
        resumed: ifCurrent(() => {
          this.#apply({ type: 'resumed' })
          this.#refresh()
          // A full reconnect is a new media connection; the service notes each one.
          void this.#visit?.tickets.reportConnected(media.sid())
        }),
        ended: (ending) => ifCurrent(() => void this.#onEnded(ending))(),
      },
    })
    return media
  }

  async #connect(visit: Visit): Promise<void> {
    const { media, tickets, entry, choice } = visit
    await media.connect(tickets.media)
    if (this.#visit !== visit) return media.close()

    const scene = { ...this.#currentScene(), people: media.people() }
    this.#apply({ type: 'connected', facts: factsOf(entry), scene })
    this.#refresh()
    void tickets.reportConnected(media.sid())
    if (choice.isMicrophoneOn) await this.#setDevice('microphone', true)
    if (choice.isCameraOn) await this.#setDevice('camera', true)
  }

  async #onEnded(ending: Ending): Promise<void> {
    // A connection that never came up is `#connect`'s to answer, by its rejection.
    if (!isInRoom(this.#state)) return
    switch (ending) {
      case 'closed':
        return this.#end(CLOSED)
      case 'elsewhere':
        return this.#end(ELSEWHERE)
      case 'removed':
        return this.#end(await this.#whyRemoved())
      case 'dropped':
        this.#apply({ type: 'interrupted' })
        return this.#recover()
    }
  }

  async #whyRemoved(): Promise<Refusal> {
    const answer = await this.#visit?.tickets.renew()
    const isKnown =
      answer?.ok === false && ['banned', 'closed', 'over'].includes(answer.refusal.page)
    return isKnown ? answer.refusal : REMOVED
  }

  /** Sleep, a phone call, another network: a fresh media connection for as long as the ticket allows. */
  async #recover(): Promise<void> {
    for (const delayMs of RECOVERY_DELAYS_MS) {
      const before = this.#visit
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      if (before === undefined || this.#visit !== before) return

      const answer = await before.tickets.renew()
      if (this.#visit !== before) return
      if (!answer.ok && answer.refusal.page !== 'unavailable') {
        return this.#end(answer.refusal.page === 'bad-link' ? LOST : answer.refusal)
      }
      if (answer.ok && (await this.#replaceMedia(before))) return
    }
    this.#end(LOST)
  }

  async #replaceMedia(visit: Visit): Promise<boolean> {
    this.#stopWatching?.()
    if (isInRoom(this.#state)) {
      const { microphone, camera } = this.#state.scene
      visit.choice.isMicrophoneOn = microphone !== 'off'
      visit.choice.isCameraOn = camera !== 'off'
    }
    void visit.media.close().catch(() => {})
    visit.media = this.#openMedia(visit.entry, visit.choice)
    try {
      await this.#connect(visit)
      return true
    } catch {
      return false
    }
  }

  async #setDevice(kind: 'microphone' | 'camera', isOn: boolean): Promise<void> {
    const media = this.#visit?.media
    if (media === undefined || !isInRoom(this.#state)) return
    this.#apply({ type: 'changed', scene: { [kind]: 'starting' } })
    try {
      await (kind === 'microphone' ? media.setMicrophone(isOn) : media.setCamera(isOn))
      this.#setProblem(kind, undefined)
      this.#apply({ type: 'changed', scene: { [kind]: isOn ? 'on' : 'off' } })
    } catch (error) {
      this.#setProblem(kind, error)
      this.#apply({ type: 'changed', scene: { [kind]: 'off' } })
    }
    if (kind === 'microphone') this.#watchWhileMuted(media)
    this.#refresh()
  }

  #watchWhileMuted(media: MediaRoom): void {
    this.#stopWatching?.()
    this.#stopWatching = undefined
    this.#apply({ type: 'changed', scene: { isSpeakingWhileMuted: false } })
    const track = media.microphoneTrack()
    if (track === undefined || this.#currentScene().microphone !== 'off') return
    this.#stopWatching = this.#tools.watchMuted(track, (isSpeakingWhileMuted) =>
      this.#apply({ type: 'changed', scene: { isSpeakingWhileMuted } }),
    )
  }

  #setProblem(kind: DeviceKind, error: unknown): void {
    const { [kind]: _, ...problems } = this.#currentScene().problems
    const problem = error === undefined ? {} : { [kind]: deviceProblemOf(error) }
    this.#apply({ type: 'changed', scene: { problems: { ...problems, ...problem } } })
  }

  #refresh(): void {
    const media = this.#visit?.media
    if (media === undefined) return
    const scene = { people: media.people(), isAudioBlocked: media.isAudioBlocked() }
    this.#apply({ type: 'changed', scene })
  }

  #end(refusal: Refusal): void {
    const visit = this.#endVisit()
    this.#apply({ type: 'refused', refusal })
    void visit?.media.close().catch(() => {})
  }

  #endVisit(): Visit | undefined {
    const visit = this.#visit
    this.#visit = undefined
    this.#stopWatching?.()
    this.#stopWatching = undefined
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
    for (const listener of this.#listeners) listener()
  }
}

function factsOf({ participant, capabilities, session }: EntryBody): CallFacts {
  return {
    me: { role: participant.role, name: participant.display_name },
    capabilities,
    sessionName: session?.name ?? null,
    startsAt: session === null ? null : new Date(session.starts_at),
    endsAt: session === null ? null : new Date(session.ends_at),
  }
}
