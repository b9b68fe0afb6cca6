import { LocalAudioTrack, type Room, RoomEvent, Track } from 'livekit-client'

/** Suppresses the noise of the own microphone on request. The suppressor is loaded on the first use. */
export class MicrophoneNoise {
  readonly #room: Room
  #isWanted: boolean
  #change = Promise.resolve()
  /** The original microphone track while the processed one is sent. */
  #source: MediaStreamTrack | undefined

  constructor(room: Room, isWanted: boolean) {
    this.#room = room
    this.#isWanted = isWanted
    room.on(RoomEvent.LocalTrackPublished, ({ source }) => {
      // If the suppressor fails, the original microphone track is sent.
      if (source === Track.Source.Microphone) void this.set(this.#isWanted).catch(() => {})
    })
  }

  /** Throws if the browser cannot do it. */
  async set(isWanted: boolean): Promise<void> {
    this.#isWanted = isWanted
    const change = this.#change.then(() => this.#apply())
    this.#change = change.catch(() => {})
    return change
  }

  /** The microphone's original track, also while muted, because the suppressor of a muted track outputs nothing. */
  track(): MediaStreamTrack | undefined {
    return this.#source ?? this.#published()?.mediaStreamTrack
  }

  async #apply(): Promise<void> {
    const track = this.#published()
    if (track === undefined || (track.getProcessor() !== undefined) === this.#isWanted) return
    if (!this.#isWanted) return track.stopProcessor()
    const { NoiseSuppressor } = await import('../devices/noise-suppressor.ts')
    await track.setProcessor(
      new NoiseSuppressor((source) => {
        this.#source = source
      }),
    )
  }

  #published(): LocalAudioTrack | undefined {
    const publication = this.#room.localParticipant.getTrackPublication(Track.Source.Microphone)
    const track = publication?.track
    return track instanceof LocalAudioTrack ? track : undefined
  }
}
