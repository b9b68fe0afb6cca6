import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import type { SentContentType } from '@interview-room/contract/live-chat.ts'
import type {
  PostedEvent,
  Person,
  Presentation,
  ShownRecording,
  StreamEventName,
  StreamEvents,
} from '@interview-room/contract/live-stream.ts'
import type { CaptionBody, LiveTextBody } from '@interview-room/contract/live-text.ts'
import type { QuestionBody } from '@interview-room/contract/questions.ts'
import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { merged, type PlacedMessage } from './messages.ts'
import { finishedOf, type Utterance, withCaption, withHistory } from './utterances.ts'

/** Events kept for the page. Older ones are only in the room's log. */
const ROOM_EVENTS_MAX = 200
/** A posted event older than this is not announced on a page that opens now. */
const CALL_LASTS_MS = 15 * 60_000

export type StreamState = 'connecting' | 'live' | 'reconnecting'
/** How much of the history is loaded. */
export type HistoryState = 'unread' | 'loading' | 'more' | 'complete' | 'failed'
export type SendProblem = 'offline' | 'too-fast' | 'refused' | 'too-large' | 'file-type'

/** A message of this page that the service has not confirmed yet. */
export interface OutgoingChatMessage {
  id: string
  visibility: Visibility
  contentType: SentContentType
  text: string | null
  file: File | null
  /** Share of the file that is uploaded, 0..1. */
  progress: number
  state: { status: 'sending' } | { status: 'failed'; problem: SendProblem }
}

export interface LiveState {
  stream: StreamState
  /** The service's clock in epoch milliseconds minus the monotonic clock of this page, which nobody sets. */
  clockOffsetMs: number
  /** Null in a room without a slot, and before the first snapshot. */
  slot: Slot | null
  roster: readonly Person[]
  presentation: Presentation
  /** Identity of the person on everyone's large tile, set by a moderator. */
  spotlight: string | null
  recording: ShownRecording
  /** Grows whenever the tenant changes the handouts. */
  handoutsVersion: number
  /** Events of the room, oldest first. */
  facts: readonly ReceivedEvent[]
  /** Questions for the moderator, oldest first. */
  questions: readonly QuestionBody[]
  /** This person may read what is said while it is said. */
  hasLiveText: boolean
  /** Oldest first. The last ones may still be going on. */
  utterances: readonly Utterance[]
  /** Oldest first. */
  messages: readonly ChatMessageBody[]
  outgoing: readonly OutgoingChatMessage[]
  unread: Readonly<Record<Visibility, number>>
  history: HistoryState
}

interface Slot {
  startsAt: Date
  endsAt: Date
  /** The time until which people may be inside. */
  closesAt: Date
}

export type ReceivedEvent = PostedEvent & {
  /** Unique and increasing. No two events of a room have the same millisecond. */
  key: number
  /** The event is from long before the page was opened, so it is not announced. */
  isPast: boolean
}

const CLOCK_NOISE_MS = 1_000

const EMPTY: LiveState = {
  stream: 'connecting',
  clockOffsetMs: performance.timeOrigin,
  slot: null,
  roster: [],
  presentation: null,
  spotlight: null,
  recording: null,
  handoutsVersion: 0,
  facts: [],
  questions: [],
  hasLiveText: false,
  utterances: [],
  messages: [],
  outgoing: [],
  unread: { public: 0, private: 0, observer_only: 0 },
  history: 'unread',
}

export type LiveEvent = {
  [Name in StreamEventName]: { name: Name; data: StreamEvents[Name] }
}[StreamEventName]

interface Me {
  /** Null on the simple route. */
  participantId: string | null
}

/**
 * The data that this page received from the live stream and the history. The view reads it, and changes nothing in
 * it.
 */
export class LiveStore {
  readonly #me: Me
  readonly #listeners = new Set<() => void>()
  readonly #shown = new Map<Visibility, number>()
  readonly #sentIds = new Set<string>()
  #state = EMPTY
  #placed: readonly PlacedMessage[] = []
  /** Messages from before the last snapshot. They are kept only if the history confirms them. */
  #staleIds = new Set<string>()
  #era = 0
  #latestTurn = 0
  #earliestTurn = 0

  constructor(me: Me) {
    this.#me = me
  }

  readonly getState = (): LiveState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Grows when known messages may be wrong: at a purge or a new snapshot. An answer to a request of an earlier era is
   * dropped.
   */
  get era(): number {
    return this.#era
  }

  isMine(message: Pick<ChatMessageBody, 'id' | 'participant_id'>): boolean {
    const { participantId } = this.#me
    const isSameId = participantId !== null && message.participant_id === participantId
    return isSameId || this.#sentIds.has(message.id)
  }

  setStream(stream: StreamState): void {
    const { stream: before, utterances } = this.#state
    const isBack = before === 'reconnecting' && stream === 'live'
    // The ends of these may have come during the interruption. What still goes on comes again.
    this.#set({ stream, utterances: isBack ? finishedOf(utterances) : utterances })
  }

  /**
   * Compares the clocks again. The monotonic clock of many browsers stands still while the machine sleeps. Small differences are the
   * delay of the network.
   */
  setTime(serviceMs: number, nowMs = performance.now()): void {
    const clockOffsetMs = serviceMs - nowMs
    if (Math.abs(clockOffsetMs - this.#state.clockOffsetMs) < CLOCK_NOISE_MS) return
    this.#set({ clockOffsetMs })
  }

  apply({ name, data }: LiveEvent, nowMs = performance.now()): void {
    switch (name) {
      case 'snapshot':
        return this.#begin(data, nowMs)
      case 'message':
        return this.#receive(data)
      case 'messages_purged':
        return this.#purge(data.visibility)
      case 'roster':
        return this.#set({ roster: data.roster })
      case 'presentation':
        return this.#set({ presentation: data.presentation })
      case 'spotlight':
        return this.#set({ spotlight: data.identity })
      case 'recording':
        return this.#set({ recording: data.recording })
      case 'handouts':
        return this.#set({ handoutsVersion: this.#state.handoutsVersion + 1 })
      case 'fact':
        return this.#addPostedEvent(data)
      case 'question':
        return this.#set({ questions: withQuestion(this.#state.questions, data) })
      case 'window':
        return this.#set({ slot: slotOf(data) })
      case 'closing':
        // The page's own clock already shows the end of the window.
        return
      case 'caption':
        return this.#hear(data, nowMs)
      case 'live_text':
        return this.#allowLiveText(data.has_live_text)
      case 'ticket':
      case 'mute_requested':
      case 'removed':
      case 'closed':
        // These events concern the call, not the data shown in it.
        return
    }
  }

  /** Adds a page of what was said before. */
  addUtterances(page: readonly LiveTextBody[]): void {
    this.#set({ utterances: withHistory(this.#state.utterances, page) })
  }

  setHistory(history: HistoryState): void {
    this.#set({ history })
  }

  /**
   * Adds a page of the history, newest first. The first page of an era also removes the messages that it does not
   * contain.
   */
  addHistory(page: readonly ChatMessageBody[], { hasMore }: { hasMore: boolean }): void {
    const stale = this.#staleIds
    this.#staleIds = new Set()
    const kept = this.#placed.filter(({ message }) => !stale.has(message.id))
    this.#place(
      kept,
      page.map((message) => ({ message, turn: --this.#earliestTurn })),
    )
    if (stale.size > 0) this.#countUnread(page.filter(({ id }) => !stale.has(id)))
    this.#set({ history: hasMore ? 'more' : 'complete' })
  }

  /** Updates messages that are already here, and ignores the others. */
  renew(page: readonly ChatMessageBody[]): void {
    const fresh = new Map(page.map((message) => [message.id, message]))
    this.#place(
      this.#placed.map(({ message, turn }) => ({
        message: fresh.get(message.id) ?? message,
        turn,
      })),
      [],
    )
  }

  putOutgoing(outgoing: OutgoingChatMessage): void {
    this.#sentIds.add(outgoing.id)
    const others = this.#state.outgoing.filter(({ id }) => id !== outgoing.id)
    const isNew = others.length === this.#state.outgoing.length
    this.#set({
      outgoing: isNew
        ? [...others, outgoing]
        : this.#state.outgoing.map((each) => (each.id === outgoing.id ? outgoing : each)),
    })
  }

  dropOutgoing(outgoingId: string): void {
    this.#set({ outgoing: this.#state.outgoing.filter(({ id }) => id !== outgoingId) })
  }

  /** Adds the service's answer to a message of this page that was sent in `era`. */
  confirm(message: ChatMessageBody, era: number): void {
    // After a purge, only the stream tells if the message still exists.
    if (era === this.#era) this.#receive(message)
    this.dropOutgoing(message.id)
  }

  /** Marks a channel as visible: nothing in it is unread meanwhile. Returns a function that hides it again. */
  show(visibility: Visibility): () => void {
    this.#shown.set(visibility, (this.#shown.get(visibility) ?? 0) + 1)
    this.#set({ unread: { ...this.#state.unread, [visibility]: 0 } })
    return () => this.#shown.set(visibility, (this.#shown.get(visibility) ?? 1) - 1)
  }

  #begin(data: StreamEvents['snapshot'], nowMs: number): void {
    this.#era += 1
    this.#staleIds = new Set(this.#placed.map(({ message }) => message.id))
    this.#set({
      stream: 'live',
      clockOffsetMs: Date.parse(data.now) - nowMs,
      slot: data.slot === null ? null : slotOf(data.slot),
      roster: data.roster,
      presentation: data.presentation,
      spotlight: data.spotlight ?? null,
      recording: data.recording,
      facts: data.facts.map((fact) => receivedEventOf(fact, Date.parse(data.now) - CALL_LASTS_MS)),
      questions: data.questions ?? [],
      history: 'unread',
    })
    this.#allowLiveText(data.has_live_text === true)
  }

  #allowLiveText(hasLiveText: boolean): void {
    this.#set({ hasLiveText, utterances: hasLiveText ? this.#state.utterances : [] })
  }

  #hear(caption: CaptionBody, nowMs: number): void {
    const { roster, clockOffsetMs, utterances, hasLiveText } = this.#state
    const { display_name: name = '' } =
      roster.find(({ identity }) => identity === caption.identity) ?? {}
    const hearing = { name, atMs: nowMs + clockOffsetMs, heardAtMs: nowMs }
    // The last texts may come after the event that ends live text.
    if (!hasLiveText) return
    this.#set({ utterances: withCaption(utterances, caption, hearing) })
  }

  #receive(message: ChatMessageBody): void {
    const isKnown = this.#placed.some((each) => each.message.id === message.id)
    this.#staleIds.delete(message.id)
    this.#place(this.#placed, [{ message, turn: ++this.#latestTurn }])
    if (!isKnown) this.#countUnread([message])
    if (this.#state.outgoing.some(({ id }) => id === message.id)) this.dropOutgoing(message.id)
  }

  #countUnread(messages: readonly ChatMessageBody[]): void {
    const unread = { ...this.#state.unread }
    for (const message of messages) {
      const isShown = (this.#shown.get(message.visibility) ?? 0) > 0
      // The page announces the recording itself, so these messages are never unread.
      const isSaid = message.content_type !== 'archive_status' && !this.isMine(message)
      if (!isShown && isSaid) unread[message.visibility] += 1
    }
    this.#set({ unread })
  }

  #purge(visibility: Visibility | null): void {
    this.#era += 1
    const isPurged = (each: Visibility) => visibility === null || each === visibility
    this.#place(
      this.#placed.filter(({ message }) => !isPurged(message.visibility)),
      [],
    )
    const { unread } = this.#state
    this.#set({
      unread: {
        public: isPurged('public') ? 0 : unread.public,
        private: isPurged('private') ? 0 : unread.private,
        observer_only: isPurged('observer_only') ? 0 : unread.observer_only,
      },
    })
  }

  #addPostedEvent(fact: PostedEvent): void {
    this.#set({
      facts: [...this.#state.facts, receivedEventOf(fact, -Infinity)].slice(-ROOM_EVENTS_MAX),
    })
  }

  #place(known: readonly PlacedMessage[], more: readonly PlacedMessage[]): void {
    this.#placed = merged(known, more)
    this.#set({ messages: this.#placed.map(({ message }) => message) })
  }

  #set(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** Replaces the question's earlier state, or appends it as the newest one. */
function withQuestion(known: readonly QuestionBody[], one: QuestionBody): readonly QuestionBody[] {
  if (!known.some(({ id }) => id === one.id)) return [...known, one]
  return known.map((each) => (each.id === one.id ? one : each))
}

function slotOf({ starts_at, ends_at, closes_at }: StreamEvents['window']): Slot {
  return { startsAt: new Date(starts_at), endsAt: new Date(ends_at), closesAt: new Date(closes_at) }
}

function receivedEventOf(fact: PostedEvent, pastUntilMs: number): ReceivedEvent {
  const key = Date.parse(fact.created_at)
  return { ...fact, key, isPast: key < pastUntilMs }
}
