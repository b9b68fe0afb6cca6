import type { EntryBody, MediaAccess } from '@interview-room/contract/live-entry.ts'
import type { DeviceKind, DeviceProblem } from '../devices/device-problem.ts'
import type { Person, Quality } from './call-state.ts'

/** How a media connection came to its end. */
export type Ending = 'closed' | 'removed' | 'elsewhere' | 'dropped'

export interface MediaEvents {
  /** Something of what can be asked; not that a connection has ended, which takes everything away. */
  changed(): void
  interrupted(): void
  resumed(): void
  ended(ending: Ending): void
  /** A device that was in use is gone, or may not be used any more. */
  deviceLost(kind: 'microphone' | 'camera', problem: DeviceProblem): void
  /** Another one took its place. */
  deviceReplaced(kind: 'microphone' | 'camera', label: string): void
  /** The system lets nobody hear the microphone or see the camera, as during a phone call; or it does again. */
  deviceSilenced(kind: 'microphone' | 'camera', isSilenced: boolean): void
  /** A moderator's page sent a message about its pointer. */
  pointed(message: Uint8Array): void
}

export interface DeviceChoice {
  microphoneId?: string | undefined
  cameraId?: string | undefined
  speakerId?: string | undefined
  /** Takes noise out of the microphone. */
  isNoiseReduced?: boolean | undefined
  /** The camera is sent only with its background blurred. */
  isBackgroundBlurred?: boolean | undefined
}

/** The media connection as the call needs it; `livekit-room.ts` is the one that carries media. */
export interface MediaRoom {
  /** Throws when the media server cannot be reached. */
  connect(access: MediaAccess): Promise<void>
  /** Names this one media connection. */
  sid(): string
  people(): Person[]
  /** As everybody knows oneself, also where one may not send and is not among the people; empty before connecting. */
  identity(): string
  /** Of the own connection, also of somebody who is not among the people. */
  quality(): Quality
  isAudioBlocked(): boolean
  /** Throws the browser's device error. */
  setMicrophone(isOn: boolean): Promise<void>
  /** Throws the browser's device error, or BlurFailure: the camera is then off. */
  setCamera(isOn: boolean): Promise<void>
  /** Asks which screen, window or tab to share, or ends sharing. Throws the browser's error. */
  setScreenShare(isOn: boolean): Promise<void>
  /** Whether others see the own screen. */
  isSharingScreen(): boolean
  /** Whether others hear or see it, whatever was asked for. */
  isOn(kind: 'microphone' | 'camera'): boolean
  /**
   * From the front camera to the back, or the other way round. Answers the id of the camera that is now in use,
   * where the browser says it. Throws the browser's device error: the one before it is then in use, or the camera
   * is off.
   */
  flipCamera(): Promise<string | undefined>
  /** The own microphone's track, also while muted. */
  microphoneTrack(): MediaStreamTrack | undefined
  /** Takes noise out of the own microphone, or no more. Throws where the browser cannot. */
  reduceNoise(isOn: boolean): Promise<void>
  /** Blurs the background of the own camera, or no more. Throws BlurFailure: the camera is then off. */
  blurBackground(isOn: boolean): Promise<void>
  /** Throws the browser's error: the device before it is then in use, or the kind is off. */
  switchDevice(kind: DeviceKind, deviceId: string): Promise<void>
  startAudio(): Promise<void>
  /** To everybody in the media room; what is lost is lost. */
  sendPointer(message: Uint8Array<ArrayBuffer>): void
  close(): Promise<void>
}

export interface MediaRoomOptions {
  room: EntryBody['room']
  devices: DeviceChoice
  on: MediaEvents
}

export type OpenMediaRoom = (options: MediaRoomOptions) => MediaRoom
