import path from 'node:path'
import {
  type CaptureEventContent,
  encodeCaptureEvent,
  type TrackRole,
} from '@interview-room/composer/capture/capture-events.ts'
import { Encryption_Type } from '@livekit/protocol'
import { AppendFile } from './append-file.ts'
import type {
  CapturableParticipant,
  CapturableTrack,
  CaptureSource,
  RoomWatcher,
} from './capture-source.ts'
import { type Clock, createSteadyClock } from './clock.ts'
import { isSelected, isTrackSelected, roleOf, type Selection } from './selection.ts'
import { TrackCapture } from './track-capture.ts'

// A process that has not run for so long may have missed something.
const STANDSTILL_MS = 2000
const BEAT_MS = 500
// So long the beginning waits for the first picture of everybody whose camera or screen is on.
const VIDEO_WAIT_MS = 1000
/** A track that is switched on and sends nothing for so long is reported. Silence has packets, too. */
const SILENT_MS = 5000

interface CaptureHooks {
  /** Called when the media to record are there: the recording begins at this moment. */
  onActive: (atMs: number) => void
  /** The source of the recording has ended without a request. */
  onSourceClosed: () => void
  onError: (error: Error) => void
  /** Something that was to be recorded cannot be; the rest continues. */
  onUnrecordable: (text: string) => void
}

export interface CaptureOptions {
  folder: string
  selection: Selection
  hooks: CaptureHooks
  /** Continues one that is active since then, by a process before this one. */
  activeMs?: number
}

interface CapturedTrack {
  capture: TrackCapture
  /** When it was published or switched on. */
  onSinceMs: number
  state: { participant: string; role: TrackRole; isMuted: boolean; isEncrypted?: true }
}

/** A track while it is captured; times by the clock of the capture. */
export interface TrackReport {
  identity: string
  role: TrackRole
  takenBytes: number
  /** Why nothing comes although it is switched on, and since when. */
  lack?: { reason: 'no_media' | 'encrypted' | 'codec_unsupported'; sinceMs: number }
}

/** Writes what a room's selected people publish to a folder, and when they came, went and muted. */
export class RoomCapture implements RoomWatcher {
  readonly clock: Clock = createSteadyClock()
  readonly #room: CaptureSource
  readonly #options: CaptureOptions
  readonly #events: AppendFile
  /** By sid, with their names as they are shown. */
  readonly #people = new Map<string, { identity: string; name: string }>()
  readonly #tracks = new Map<string, CapturedTrack>()
  /** Codecs of tracks whose media cannot be captured, by sid; of some, another reason. */
  readonly #unrecordable = new Map<string, string | undefined>()
  readonly #dropped: TrackCapture[] = []
  readonly #closing: Promise<void>[] = []
  #folder: string
  /** From the first packet on. */
  #picturesTimer: NodeJS.Timeout | undefined
  #activeMs: number | undefined
  /** Until what the process before saw is there again, or known to be gone. */
  #isReturning: boolean
  #isClosed = false
  readonly #beat: NodeJS.Timeout
  #beatAtMs: number
  /** When the last event was. */
  #notedMs: number | undefined

  constructor(room: CaptureSource, options: CaptureOptions) {
    this.#room = room
    this.#options = options
    this.#folder = options.folder
    this.#activeMs = options.activeMs
    this.#isReturning = this.#isActive
    this.#events = new AppendFile(this.#eventsFile, options.hooks.onError)
    this.#beatAtMs = this.clock()
    this.#beat = setInterval(() => this.#noteStandstill(), BEAT_MS).unref()
    room.watchers.add(this)
    this.changed()
  }

  /** Compares the room with what is captured of it, and writes down the difference. */
  changed(): void {
    if (this.#isClosed) return
    const { selection } = this.#options
    const people = [...this.#room.participants.values()].filter((one) => isSelected(selection, one))
    if (this.#isReturning && people.length === 0) return
    if (this.#isReturning) this.#note({ fact: 'resumed' })
    this.#isReturning = false
    const published = people.flatMap((participant) => {
      const tracks = participant.announcedTracks.filter((one) => isTrackSelected(selection, one))
      return tracks.map((track) => ({ participant, track }))
    })
    const hadSource = selection.of === 'tracks' ? this.#tracks.size > 0 : this.#people.size > 0
    this.#dropTracks(new Set(published.map(({ track }) => track.sid)))
    this.#followPeople(people)
    for (const { participant, track } of published) this.#followTrack(participant, track)

    const remaining = selection.of === 'tracks' ? this.#tracks.size : this.#people.size
    const hasEnded = hadSource && remaining === 0 && selection.of !== 'room'
    if (hasEnded) this.#options.hooks.onSourceClosed()
  }

  finished(): void {
    this.#options.hooks.onSourceClosed()
  }

  failed(error: Error): void {
    this.#options.hooks.onError(error)
  }

  missed(ms: number): void {
    if (this.#isActive && !this.#isClosed)
      this.#note({ fact: 'missed', sinceMs: this.clock() - ms })
  }

  unrecordable(sid: string, reason: string, codec?: string): void {
    if (this.#isClosed) return
    const isNews = !this.#unrecordable.has(sid)
    this.#unrecordable.set(sid, codec)
    if (isNews && codec !== undefined) this.#note({ fact: 'unrecordable', track: sid, codec })
    this.#options.hooks.onUnrecordable(`${sid} (${reason})`)
  }

  /** Bytes of media; they grow while anything comes and the disk takes it. */
  get writtenBytes(): number {
    const captures = [...this.#dropped, ...[...this.#tracks.values()].map(({ capture }) => capture)]
    return captures.reduce((sum, { writtenBytes }) => sum + writtenBytes, 0)
  }

  /** Every track while it is there, muted ones included. */
  get trackReports(): TrackReport[] {
    return [...this.#tracks].map(([sid, track]) => {
      const { participant, role } = track.state
      const identity = this.#people.get(participant)?.identity ?? ''
      const lack = this.#lackOf(sid, track)
      return { identity, role, takenBytes: track.capture.takenBytes, ...(lack && { lack }) }
    })
  }

  setLayout(layout: string): void {
    this.#note({ fact: 'layout', layout })
    this.#requestKeyFrames()
  }

  /** Continues in another folder, which is there; resolves when everything of the one before is on disk. */
  async moveOn(folder: string): Promise<void> {
    if (this.#isClosed) return
    this.#folder = folder
    const closing = this.#closing.splice(0)
    const tracks = [...this.#tracks].map(([sid, { capture }]) => capture.moveOn(this.#logOf(sid)))
    const events = this.#events.moveOn(this.#eventsFile)
    this.#noteSnapshot()
    await Promise.all([...closing, ...tracks, events])
  }

  /** Ends the capture at this moment and resolves to it, once everything is on disk. */
  async stop(): Promise<number> {
    this.#noteStandstill()
    const atMs = this.clock()
    this.#note({ fact: 'stopped' })
    await this.close()
    return atMs
  }

  /** Lets go of the room without an end, as if the process were killed. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#beat)
    clearTimeout(this.#picturesTimer)
    this.#room.watchers.delete(this)
    this.#room.leave?.()
    const captures = [...this.#tracks.values()].map(({ capture }) => capture.close())
    await Promise.all([...captures, ...this.#closing, this.#events.close()])
  }

  #lackOf(sid: string, { capture, state, onSinceMs }: CapturedTrack): TrackReport['lack'] {
    if (state.isMuted || this.#activeMs === undefined) return undefined
    if (state.isEncrypted) return { reason: 'encrypted', sinceMs: onSinceMs }
    const hasCodec = this.#unrecordable.get(sid) !== undefined
    if (hasCodec) return { reason: 'codec_unsupported', sinceMs: onSinceMs }
    const { takenAtMs = 0 } = capture
    // A shared screen sends only when it changes.
    const isSteady = state.role === 'camera' || state.role === 'microphone'
    if (!isSteady && takenAtMs > 0) return undefined
    const sinceMs = Math.max(takenAtMs, onSinceMs, this.#activeMs)
    return this.clock() - sinceMs > SILENT_MS ? { reason: 'no_media', sinceMs } : undefined
  }

  #followPeople(people: readonly CapturableParticipant[]): void {
    const present = new Set(people.map(({ sid }) => sid))
    for (const participant of this.#people.keys()) {
      if (present.has(participant)) continue
      this.#people.delete(participant)
      this.#note({ fact: 'left', participant })
      this.#requestKeyFrames()
    }
    for (const { sid, name, identity } of people) {
      const shown = name === '' ? identity : name
      const known = this.#people.get(sid)
      if (known?.name === shown) continue
      this.#people.set(sid, { identity, name: shown })
      if (known === undefined) {
        this.#note({ fact: 'joined', participant: sid, identity, name: shown })
        this.#requestKeyFrames()
      } else {
        this.#note({ fact: 'renamed', participant: sid, name: shown })
      }
    }
  }

  #dropTracks(published: ReadonlySet<string>): void {
    for (const [track, { capture }] of this.#tracks) {
      if (published.has(track)) continue
      this.#tracks.delete(track)
      this.#note({ fact: 'unpublished', track })
      this.#dropped.push(capture)
      this.#closing.push(capture.close())
    }
  }

  #followTrack({ sid: participant }: CapturableParticipant, track: CapturableTrack): void {
    const known = this.#tracks.get(track.sid)
    const isMuted = track.info.muted
    if (known === undefined) {
      const isEncrypted = isEncryptedTrack(track) && ({ isEncrypted: true } as const)
      const state = { participant, role: roleOf(track), isMuted, ...isEncrypted }
      const onSinceMs = this.#note({ fact: 'published', track: track.sid, ...state })
      this.#tracks.set(track.sid, { capture: this.#capture(track), onSinceMs, state })
    } else if (known.state.isMuted !== isMuted) {
      known.state.isMuted = isMuted
      known.onSinceMs = this.#note({ fact: isMuted ? 'muted' : 'unmuted', track: track.sid })
    }
  }

  #capture(track: CapturableTrack): TrackCapture {
    return new TrackCapture(track, {
      file: this.#logOf(track.sid),
      clock: this.clock,
      isEncrypted: isEncryptedTrack(track),
      onPacket: () => this.#take(track.sid),
      onError: this.#options.hooks.onError,
    })
  }

  get #eventsFile(): string {
    return path.join(this.#folder, 'facts.jsonl')
  }

  #logOf(trackSid: string): string {
    return path.join(this.#folder, `${trackSid}.rtp`)
  }

  #take(trackSid: string): void {
    if (this.#unrecordable.size > 0 && this.#unrecordable.delete(trackSid)) {
      this.#note({ fact: 'recordable', track: trackSid })
    }
    this.#begin()
  }

  /** With video, so that no segment begins with empty tiles. */
  #begin(): void {
    if (this.#isActive || this.#isClosed) return
    const isAwaited = [...this.#tracks].some(
      ([sid, { capture, state }]) =>
        capture.isAwaitingVideo && !state.isMuted && !this.#unrecordable.has(sid),
    )
    if (!isAwaited) return this.#activate()
    this.#picturesTimer ??= setTimeout(() => this.#activate(), VIDEO_WAIT_MS).unref()
  }

  get #isActive(): boolean {
    return this.#activeMs !== undefined
  }

  #activate(): void {
    if (this.#isActive) return
    this.#beatAtMs = this.clock()
    clearTimeout(this.#picturesTimer)
    this.#activeMs = this.#note({ fact: 'active' })
    this.#options.hooks.onActive(this.#activeMs)
  }

  #noteStandstill(): void {
    const sinceMs = this.#beatAtMs
    this.#beatAtMs = this.clock()
    const isLate = this.#beatAtMs - sinceMs > STANDSTILL_MS
    if (isLate && this.#isActive && !this.#isClosed) this.#note({ fact: 'stood_still', sinceMs })
  }

  /** Nothing is lost with a chunk but what came in its own time. */
  #noteSnapshot(): void {
    if (this.#activeMs === undefined || this.#notedMs === undefined) return
    const people = [...this.#people].map(([participant, person]) => ({ participant, ...person }))
    const tracks = [...this.#tracks].map(([track, { state }]) => {
      return { track, ...state, codec: this.#unrecordable.get(track) }
    })
    const [afterMs, activeMs] = [this.#notedMs, this.#activeMs]
    this.#note({ fact: 'snapshot', afterMs, activeMs, people, tracks })
  }

  /** Answers its time. */
  #note(content: CaptureEventContent): number {
    const atMs = this.clock()
    this.#events.append(encodeCaptureEvent({ atMs, ...content }))
    this.#events.flush()
    this.#notedMs = atMs
    return atMs
  }

  // A change of the layout gives tiles another size, so they are decoded again.
  #requestKeyFrames(): void {
    for (const { capture } of this.#tracks.values()) capture.requestKeyFrame()
  }
}

function isEncryptedTrack({ info }: CapturableTrack): boolean {
  return info.encryption !== Encryption_Type.NONE
}
