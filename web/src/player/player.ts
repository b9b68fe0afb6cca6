import type { PlaybackBody, PLAYED_VERSIONS } from '@interview-room/contract/review.ts'
import { Store } from '../pages/store.ts'
import { silenceAt, type Span } from './silences.ts'

export type Version = (typeof PLAYED_VERSIONS)[number]

/** A new address is requested this long before the old one expires. */
const RENEW_BEFORE_MS = 30_000
/** How often the position is noted while the video plays. */
const TICK_MS = 100
/** After this many failures in a row without a picture, the page says so. */
const FAILURES_MAX = 3

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const
/** The composer makes 15 pictures a second. */
const FRAME_SEC = 1 / 15

export interface PlayerState {
  /** The position in the recording, whichever version plays. */
  sec: number
  durationSec: number
  /** The reader wants it to play. It stays true while the file is loaded again. */
  isPlaying: boolean
  /** The browser has no data for the position yet. */
  isWaiting: boolean
  hasFailed: boolean
  rate: number
  volume: number
  isMuted: boolean
  skipsSilence: boolean
  version: Version
}

interface PlayerOptions {
  durationSec: number
  startSec: number
  rate: number
  /** The start of the processed version in the recording. */
  trimStartSec: number
  issue: (version: Version) => Promise<PlaybackBody>
  now?: () => number
}

/** The parts of a video element that the player uses. */
export type PlayedVideo = Pick<
  HTMLVideoElement,
  | 'src'
  | 'currentTime'
  | 'duration'
  | 'paused'
  | 'ended'
  | 'seeking'
  | 'playbackRate'
  | 'defaultPlaybackRate'
  | 'preservesPitch'
  | 'volume'
  | 'muted'
  | 'play'
  | 'pause'
  | 'addEventListener'
>

/**
 * The one clock of the page: everything that has a time reads it here, and seeks here. The signed address of the file expires, so
 * the player requests another one in time. It uses that one at the next seek or failure, because a change interrupts the playback.
 */
export class Player {
  readonly store: Store<PlayerState>
  readonly #options: PlayerOptions
  readonly #now: () => number
  #video: PlayedVideo | undefined
  #silences: readonly Span[] = []
  #address: PlaybackBody | undefined
  #next: PlaybackBody | undefined
  #renewal: ReturnType<typeof setTimeout> | undefined
  #ticking: ReturnType<typeof setInterval> | undefined
  #failures = 0
  /** The position to take once the file can be read. */
  #pendingSec: number | undefined
  #stopsAtSec: number | undefined
  #onEnded = () => {}
  #onPlaced = () => {}

  constructor(options: PlayerOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.store = new Store<PlayerState>({
      sec: options.startSec,
      durationSec: options.durationSec,
      isPlaying: false,
      isWaiting: true,
      hasFailed: false,
      rate: options.rate,
      volume: 1,
      isMuted: false,
      skipsSilence: false,
      version: 'recorded',
    })
  }

  /** Called at the end of the recording. */
  onEnded(listener: () => void): void {
    this.#onEnded = listener
  }

  /** Called when somebody has paused or sought. */
  onPlaced(listener: () => void): void {
    this.#onPlaced = listener
  }

  setSilences(silences: readonly Span[]): void {
    this.#silences = silences
  }

  /** Takes over a video element. Returns a function that lets go of it. */
  attach(video: PlayedVideo): () => void {
    const leaving = new AbortController()
    const { signal } = leaving
    this.#video = video
    video.preservesPitch = true
    const on = (type: string, listener: () => void) =>
      video.addEventListener(type, listener, { signal })
    on('loadedmetadata', () => this.#restore())
    on('playing', () => this.#started())
    on('seeked', () => this.store.set({ isWaiting: false }))
    on('loadeddata', () => this.store.set({ isWaiting: false }))
    on('waiting', () => this.store.set({ isWaiting: true }))
    on('pause', () => this.#paused())
    on('timeupdate', () => this.#tick())
    on('ended', () => this.#ended())
    on('error', () => void this.#renewAfterFailure())
    void this.#load()
    return () => {
      leaving.abort()
      clearInterval(this.#ticking)
      clearTimeout(this.#renewal)
      this.#video = undefined
    }
  }

  play(): void {
    const { sec, durationSec } = this.store.get()
    this.store.set({ isPlaying: true })
    if (sec >= durationSec - FRAME_SEC) this.seek(0)
    if (!this.#isUsable(this.#address) || this.#pendingSec !== undefined) return void this.#load()
    this.#start()
  }

  #start(): void {
    void this.#video?.play().catch((error: unknown) => {
      // A browser may refuse a start that nobody pressed for. A file that is loaded anew starts by itself.
      const isRefused = error instanceof DOMException && error.name === 'NotAllowedError'
      if (isRefused) this.store.set({ isPlaying: false })
    })
  }

  pause(): void {
    this.store.set({ isPlaying: false })
    this.#video?.pause()
  }

  toggle(): void {
    if (this.store.get().isPlaying) this.pause()
    else this.play()
  }

  /** Plays from one place to another, and stops there. */
  playRange({ startSec, endSec }: Span): void {
    this.seek(startSec)
    this.#stopsAtSec = endSec
    this.play()
  }

  seek(toSec: number): void {
    this.#stopsAtSec = undefined
    const sec = Math.min(Math.max(toSec, 0), this.store.get().durationSec)
    this.store.set({ sec })
    const isFresh = !this.#isUsable(this.#next) && this.#isUsable(this.#address)
    if (isFresh && this.#video !== undefined && this.#pendingSec === undefined)
      this.#video.currentTime = this.#inFile(sec)
    else void this.#load()
    this.#onPlaced()
  }

  step(frames: number): void {
    this.pause()
    this.seek(this.store.get().sec + frames * FRAME_SEC)
  }

  setRate(rate: number): void {
    if (this.#video !== undefined) this.#video.playbackRate = rate
    this.store.set({ rate })
  }

  /** Takes the next speed of the list. */
  changeRate(steps: 1 | -1): void {
    const { rate } = this.store.get()
    const faster = RATES.find((each) => each > rate)
    const slower = RATES.findLast((each) => each < rate)
    this.setRate((steps > 0 ? faster : slower) ?? rate)
  }

  setVolume(volume: number): void {
    const isMuted = volume === 0
    if (this.#video !== undefined) Object.assign(this.#video, { volume, muted: isMuted })
    this.store.set({ volume, isMuted })
  }

  setMuted(isMuted: boolean): void {
    if (this.#video !== undefined) this.#video.muted = isMuted
    this.store.set({ isMuted })
  }

  setSkipsSilence(skipsSilence: boolean): void {
    this.store.set({ skipsSilence })
  }

  setVersion(version: Version): void {
    if (version === this.store.get().version) return
    this.#address = undefined
    this.#next = undefined
    this.store.set({ version })
    void this.#load()
  }

  retry(): void {
    this.#failures = 0
    this.store.set({ hasFailed: false })
    void this.#load()
  }

  /** The file that plays, and the offset in it of a position in the recording. Null until there is a file. */
  placeOf(sec: number): { url: string; sec: number } | null {
    return this.#address === undefined ? null : { url: this.#address.url, sec: this.#inFile(sec) }
  }

  /** The offset in the file that plays of a position in the recording. */
  #inFile(sec: number): number {
    return Math.max(0, sec - this.#shiftSec())
  }

  #shiftSec(): number {
    return this.store.get().version === 'processed' ? this.#options.trimStartSec : 0
  }

  #isUsable(address: PlaybackBody | undefined): boolean {
    return address !== undefined && Date.parse(address.expires_at) > this.#now()
  }

  /** Loads the file at the current position, with an address that still works. */
  async #load(): Promise<void> {
    const isLoading = this.#pendingSec !== undefined
    this.#pendingSec = this.store.get().sec
    if (isLoading) return
    this.store.set({ isWaiting: true })
    const { version } = this.store.get()
    try {
      const next = this.#isUsable(this.#next) ? this.#next : undefined
      const address = next ?? (await this.#options.issue(version))
      this.#next = undefined
      if (version !== this.store.get().version) return this.#loadAgain()
      this.#use(address)
    } catch {
      this.#pendingSec = undefined
      this.store.set({ hasFailed: true, isWaiting: false, isPlaying: false })
    }
  }

  #loadAgain(): void {
    this.#pendingSec = undefined
    void this.#load()
  }

  #use(address: PlaybackBody): void {
    this.#address = address
    if (this.#video !== undefined) this.#video.src = address.url
    this.#renewBefore(address)
  }

  #renewBefore({ expires_at: expiresAt }: PlaybackBody): void {
    clearTimeout(this.#renewal)
    const inMs = Date.parse(expiresAt) - this.#now() - RENEW_BEFORE_MS
    this.#renewal = setTimeout(() => void this.#renew(), Math.max(inMs, 1_000))
  }

  /** Has another address ready. A paused video requests one when it is played again. */
  async #renew(): Promise<void> {
    if (!this.store.get().isPlaying) return
    const { version } = this.store.get()
    const next = await this.#options.issue(version).catch(() => undefined)
    if (next === undefined || version !== this.store.get().version) return
    this.#next = next
    this.#renewBefore(next)
  }

  async #renewAfterFailure(): Promise<void> {
    this.#failures += 1
    this.#pendingSec = undefined
    this.#address = undefined
    this.#next = undefined
    if (this.#failures < FAILURES_MAX) return this.#load()
    this.store.set({ hasFailed: true, isWaiting: false, isPlaying: false })
  }

  #restore(): void {
    const video = this.#video
    if (video === undefined) return
    const { rate, version, durationSec } = this.store.get()
    video.defaultPlaybackRate = rate
    video.playbackRate = rate
    if (this.#pendingSec !== undefined) video.currentTime = this.#inFile(this.#pendingSec)
    this.#pendingSec = undefined
    // The file's own length is exact.
    if (version === 'recorded' && Number.isFinite(video.duration))
      this.store.set({ durationSec: video.duration })
    else this.store.set({ durationSec })
    if (this.store.get().isPlaying) this.#start()
  }

  #started(): void {
    this.#failures = 0
    this.store.set({ isPlaying: true, isWaiting: false, hasFailed: false })
    clearInterval(this.#ticking)
    this.#ticking = setInterval(() => this.#tick(), TICK_MS)
  }

  #paused(): void {
    clearInterval(this.#ticking)
    if (this.#pendingSec !== undefined) return
    this.store.set({ isPlaying: false })
    this.#onPlaced()
  }

  #tick(): void {
    const video = this.#video
    // A seek under way is where the reader wants to be, and not where the picture is.
    if (video === undefined || this.#pendingSec !== undefined || video.seeking) return
    const sec = video.currentTime + this.#shiftSec()
    this.store.set({ sec })
    const { isPlaying, skipsSilence } = this.store.get()
    if (!isPlaying) return
    if (this.#stopsAtSec !== undefined && sec >= this.#stopsAtSec) {
      this.#stopsAtSec = undefined
      return this.pause()
    }
    if (!skipsSilence) return
    const silence = silenceAt(this.#silences, sec)
    if (silence !== undefined) video.currentTime = this.#inFile(silence.endSec)
  }

  #ended(): void {
    this.store.set({ sec: this.store.get().durationSec, isPlaying: false })
    this.#onEnded()
  }
}
