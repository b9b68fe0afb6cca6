import { type LocalVideoTrack, type Room, RoomEvent, Track } from 'livekit-client'
import { BackgroundBlur } from '../devices/background-blur.ts'
import { publishNew } from './publish-new.ts'
import { inTurns } from './turns.ts'

/** The own camera. If its background is to be blurred, it is sent only with the blur. */
export class OwnCamera {
  readonly #room: Room
  readonly #onFailure: () => void
  #isBlurWanted: boolean
  readonly #inTurn = inTurns()

  /** @param onFailure is called when the blur has failed and the camera is turned off. */
  constructor(room: Room, isBlurWanted: boolean, onFailure: () => void) {
    this.#room = room
    this.#isBlurWanted = isBlurWanted
    this.#onFailure = onFailure
    room.on(RoomEvent.TrackMuted, ({ source }, { isLocal }) => {
      // The blur starts again with the camera.
      if (isLocal && source === Track.Source.Camera)
        void this.#published()?.getProcessor()?.destroy()
    })
  }

  /** Throws the browser's device error or BlurFailure. The camera is off then. */
  async set(isOn: boolean): Promise<void> {
    return this.#inTurn(async () => {
      const me = this.#room.localParticipant
      const track = this.#published()
      // The track was published before the choice changed.
      if (isOn && track !== undefined && !this.#isAsWanted(track)) await me.unpublishTrack(track)
      if (isOn && this.#published() === undefined) await this.#publish()
      else await me.setCameraEnabled(isOn)
    })
  }

  /** Throws BlurFailure; the camera is off then. Until the blur has started, the camera is sent as before. */
  async blur(isWanted: boolean): Promise<void> {
    this.#isBlurWanted = isWanted
    return this.#inTurn(async () => {
      const track = this.#published()
      if (track === undefined || track.isMuted || this.#isAsWanted(track)) return
      if (!this.#isBlurWanted) return track.stopProcessor()
      try {
        await track.setProcessor(this.#newBlur())
      } catch (error) {
        await this.#room.localParticipant.setCameraEnabled(false)
        throw error
      }
    })
  }

  /** Applies the blur before the first frame is sent. */
  async #publish(): Promise<void> {
    await publishNew(
      this.#room,
      (me) => me.createTracks({ video: true }),
      async (track) => {
        if (this.#isBlurWanted) await (track as LocalVideoTrack).setProcessor(this.#newBlur())
      },
    )
  }

  #isAsWanted(track: LocalVideoTrack): boolean {
    return (track.getProcessor() !== undefined) === this.#isBlurWanted
  }

  #newBlur(): BackgroundBlur {
    return new BackgroundBlur(() => {
      this.#onFailure()
      void this.set(false).catch(() => {})
    })
  }

  #published(): LocalVideoTrack | undefined {
    return this.#room.localParticipant.getTrackPublication(Track.Source.Camera)?.videoTrack
  }
}
