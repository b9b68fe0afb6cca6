import { LocalAudioTrack, type Room, RoomEvent, Track } from 'livekit-client'

/** Takes noise out of the own microphone while that is wanted. What it takes is loaded when it is. */
export class MicrophoneNoise {
  readonly #room: Room
  #isWanted: boolean
  #change = Promise.resolve()
  /** The microphone as it is, while it is sent without its noise. */
  #source: MediaStreamTrack | undefined

  constructor(room: Room, isWanted: boolean) {
    this.#room = room
    this.#isWanted = isWanted
    room.on(RoomEvent.LocalTrackPublished, ({ source }) => {
      // Where it fails, the microphone is sent as it is.
      if (source === Track.Source.Microphone) void this.set(this.#isWanted).catch(() => {})
    })
  }

  /** Throws where the browser cannot do it. */
  async set(isWanted: boolean): Promise<void> {
    this.#isWanted = isWanted
    const change = this.#change.then(() => this.#apply())
    this.#change = change.catch(() => {})
    return change
  }

  /** The microphone's track, also while muted: with noise, because a muted one leaves the suppressor nothing. */
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
