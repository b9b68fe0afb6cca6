import type { EntryBody, MediaAccess } from '@interview-room/contract/live-entry.ts'
import type { DeviceKind, DeviceProblem } from '../devices/device-problem.ts'
import type { Person, Quality } from './call-state.ts'

/** The reason why a media connection ended. */
export type Ending = 'closed' | 'removed' | 'elsewhere' | 'dropped'

export interface MediaEvents {
  /**
   * Something that the other methods report has changed. Not called when a connection ends, although that removes
   * everything.
   */
  changed(): void
  /** The media server has answered. Media comes next. */
  signalled(): void
  interrupted(): void
  resumed(): void
  ended(ending: Ending): void
  /** A device in use is gone, or its permission was withdrawn. */
  deviceLost(kind: 'microphone' | 'camera', problem: DeviceProblem): void
  /** Another device replaced it. */
  deviceReplaced(kind: 'microphone' | 'camera', label: string): void
  /** The system silences the microphone or the camera, as during a phone call, or stops doing so. */
  deviceSilenced(kind: 'microphone' | 'camera', isSilenced: boolean): void
  /** A moderator's page sent a message about its pointer. */
  pointed(message: Uint8Array): void
}

export interface DeviceChoice {
  microphoneId?: string | undefined
  cameraId?: string | undefined
  speakerId?: string | undefined
  /** Noise suppression of the microphone is on. */
  isNoiseReduced?: boolean | undefined
  /** The camera is sent only with its background blurred. */
  isBackgroundBlurred?: boolean | undefined
}

/** The media connection that the call uses. `livekit-room.ts` implements it. */
export interface MediaRoom {
  /** Throws if the media server cannot be reached. */
  connect(access: MediaAccess): Promise<void>
  /** The id of this media connection. */
  sid(): string
  people(): Person[]
  /**
   * The identity that others know this person by, even if they may not send and are not in `people`. Empty before
   * connecting.
   */
  identity(): string
  /** Quality of the own connection, even if this person is not in `people`. */
  quality(): Quality
  isAudioBlocked(): boolean
  /** Throws the browser's device error. */
  setMicrophone(isOn: boolean): Promise<void>
  /** Throws the browser's device error or BlurFailure. The camera is off then. */
  setCamera(isOn: boolean): Promise<void>
  /** Asks which screen, window or tab to share, or ends sharing. Throws the browser's error. */
  setScreenShare(isOn: boolean): Promise<void>
  /** True while others see the own screen. */
  isSharingScreen(): boolean
  /** True while others can hear or see it, even if something else was requested. */
  isOn(kind: 'microphone' | 'camera'): boolean
  /**
   * Switches between the front and the back camera. Returns the id of the camera in use, if the browser reports it.
   * Throws the browser's device error: the previous camera is in use then, or the camera is off.
   */
  flipCamera(): Promise<string | undefined>
  /** The own microphone's track, also while muted. */
  microphoneTrack(): MediaStreamTrack | undefined
  /** Turns noise suppression of the own microphone on or off. Throws if the browser cannot do it. */
  reduceNoise(isOn: boolean): Promise<void>
  /** Turns the blur of the own camera on or off. Throws BlurFailure: the camera is off then. */
  blurBackground(isOn: boolean): Promise<void>
  /** Throws the browser's error: the previous device is in use then, or the device is off. */
  switchDevice(kind: DeviceKind, deviceId: string): Promise<void>
  startAudio(): Promise<void>
  /** Sends to everybody in the media room, without a guarantee of delivery. */
  sendPointer(message: Uint8Array<ArrayBuffer>): void
  close(): Promise<void>
}

export interface MediaRoomOptions {
  room: EntryBody['room']
  devices: DeviceChoice
  on: MediaEvents
}

export type OpenMediaRoom = (options: MediaRoomOptions) => MediaRoom
