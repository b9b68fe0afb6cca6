import { DisconnectReason, Room, RoomEvent, ScreenSharePresets, Track } from 'livekit-client'
import type { Quality } from './call-state.ts'
import { watchChanges } from './livekit-changes.ts'
import { endSilence, flipCamera, switchDevice, watchDevices } from './livekit-devices.ts'
import { presentPeople, QUALITIES, roleIn } from './livekit-people.ts'
import { playSounds } from './livekit-sounds.ts'
import type { Ending, MediaEvents, MediaRoom, MediaRoomOptions } from './media-room.ts'
import { MicrophoneNoise } from './microphone-noise.ts'
import { OwnCamera } from './own-camera.ts'
import { publishNew } from './publish-new.ts'
import { inTurns } from './turns.ts'
import { VIDEO_BITRATE_BPS } from './video-bitrate.ts'
import { publishWithoutLayers } from './without-layers.ts'

/** Topic of the data packets about a moderator's pointer. */
const POINTER = 'pointer'

/** @param onQuality receives the connection quality of this page whenever it changes. */
export function openLivekitRoom(
  options: MediaRoomOptions,
  onQuality: (quality: Quality) => void,
): MediaRoom {
  const room = new Room(roomOptions(options))
  publishWithoutLayers(room)
  const noise = new MicrophoneNoise(room, options.devices.isNoiseReduced === true)
  const camera = new OwnCamera(room, options.devices.isBackgroundBlurred === true, () =>
    options.on.deviceLost('camera', 'blur'),
  )
  const inTurn = inTurns()
  const screenInTurn = inTurns()
  room.on(RoomEvent.ConnectionQualityChanged, (quality, { isLocal }) => {
    if (isLocal) onQuality(QUALITIES[quality])
  })
  wire(room, options.on)
  watchDevices(room, options.on)
  return {
    // On a connection too slow for both, the server pauses video and the voice continues.
    connect: async ({ url, token }) =>
      room.connect(url, token, { maxRetries: 2, subscriberAllowPause: true }),
    sid: () => room.localParticipant.sid,
    people: () => presentPeople(room),
    identity: () => room.localParticipant.identity,
    quality: () => QUALITIES[room.localParticipant.connectionQuality],
    isAudioBlocked: () => !room.canPlaybackAudio,
    setMicrophone: async (isOn) => {
      await inTurn(async () => setMicrophone(room, isOn))
      if (isOn) await endSilence(room, 'microphone')
    },
    setCamera: async (isOn) => {
      await camera.set(isOn)
      if (isOn) await endSilence(room, 'camera')
    },
    blurBackground: async (isOn) => camera.blur(isOn),
    setScreenShare: async (isOn) => screenInTurn(async () => setScreenShare(room, isOn)),
    isSharingScreen: () => room.localParticipant.isScreenShareEnabled,
    isOn: (kind) =>
      kind === 'microphone'
        ? room.localParticipant.isMicrophoneEnabled
        : room.localParticipant.isCameraEnabled,
    flipCamera: () => flipCamera(room),
    microphoneTrack: () => noise.track(),
    reduceNoise: async (isOn) => noise.set(isOn),
    switchDevice: async (kind, deviceId) => {
      if (kind === 'speaker') await room.switchActiveDevice('audiooutput', deviceId)
      else await switchDevice(room, kind, deviceId)
    },
    startAudio: () => room.startAudio(),
    sendPointer: (message) => {
      // A service of the previous release does not allow anybody to send data.
      void room.localParticipant.publishData(message, { topic: POINTER }).catch(() => {})
    },
    close: () => room.disconnect(),
  }
}

async function setMicrophone(room: Room, isOn: boolean): Promise<void> {
  const me = room.localParticipant
  const isNew = me.getTrackPublication(Track.Source.Microphone) === undefined
  if (isOn && isNew) await publishNew(room, (own) => own.createTracks({ audio: true }))
  else await me.setMicrophoneEnabled(isOn)
}

async function setScreenShare(room: Room, isOn: boolean): Promise<void> {
  const me = room.localParticipant
  if (!isOn) {
    await me.setScreenShareEnabled(false)
    return
  }
  await screenPermitted(room)
  if (me.getTrackPublication(Track.Source.ScreenShare) !== undefined) return
  await publishNew(room, (own) =>
    own.createScreenTracks({
      // The sound of a tab or of the system, if the browser offers it.
      audio: true,
      resolution: ScreenSharePresets.h1080fps15.resolution,
      contentHint: 'detail',
    }),
  )
}

/** A browser accepts a press as the reason for its dialog for about five seconds. */
const PERMISSION_WAIT_MS = 3000

/**
 * A moderator's permission reaches the page in two ways, and the media server's may arrive later. If it never
 * arrives, publishing fails, and the page reports that.
 */
function screenPermitted(room: Room): Promise<void> {
  const isPermitted = () => {
    const { canPublish, canPublishSources = [] } = room.localParticipant.permissions ?? {}
    const screen = Track.sourceToProto(Track.Source.ScreenShare)
    return (
      canPublish === true && (canPublishSources.length === 0 || canPublishSources.includes(screen))
    )
  }
  if (isPermitted()) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      room.off(RoomEvent.ParticipantPermissionsChanged, onChange)
      resolve()
    }
    const onChange = () => {
      if (isPermitted()) finish()
    }
    const timer = setTimeout(finish, PERMISSION_WAIT_MS)
    room.on(RoomEvent.ParticipantPermissionsChanged, onChange)
  })
}

function roomOptions({ room, devices }: MediaRoomOptions) {
  const [width = 640, height = 480] = room.stream_resolution.split('x').map(Number)
  const frameRate = room.stream_frame_rate
  return {
    adaptiveStream: true,
    dynacast: false,
    // The service's own media server uses two connections. Without this the client would try one connection first.
    singlePeerConnection: false,
    disconnectOnPageLeave: true,
    videoCaptureDefaults: {
      resolution: { width, height, frameRate },
      ...(devices.cameraId === undefined ? {} : { deviceId: devices.cameraId }),
    },
    audioCaptureDefaults: {
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
      ...(devices.microphoneId === undefined ? {} : { deviceId: devices.microphoneId }),
    },
    ...(devices.speakerId === undefined ? {} : { audioOutput: { deviceId: devices.speakerId } }),
    publishDefaults: {
      simulcast: false,
      videoCodec: 'vp8' as const,
      backupCodec: false,
      videoEncoding: {
        maxBitrate: VIDEO_BITRATE_BPS[room.stream_resolution],
        maxFramerate: frameRate,
        // On a weak connection, the voice has priority.
        priority: 'low' as const,
      },
      screenShareEncoding: ScreenSharePresets.h1080fps15.encoding,
      audioPreset: { maxBitrate: 32_000, priority: 'high' as const },
    },
  }
}

function wire(room: Room, on: MediaEvents): void {
  watchChanges(room, () => on.changed())
  playSounds(room)
  room
    .on(RoomEvent.DataReceived, (...packet) => {
      const [message, from, , topic] = packet
      // The media server allows only moderators to send; the role comes from the token that it has checked.
      if (topic === POINTER && roleIn(from?.metadata) === 'moderator') on.pointed(message)
    })
    .on(RoomEvent.SignalConnected, () => on.signalled())
    .on(RoomEvent.SignalReconnecting, () => on.interrupted())
    .on(RoomEvent.Reconnecting, () => on.interrupted())
    .on(RoomEvent.Reconnected, () => on.resumed())
    .on(RoomEvent.Disconnected, (reason) => on.ended(endingOf(reason)))
}

/** Maps the provider's reason for ending a connection. */
export function endingOf(reason: DisconnectReason | undefined): Ending {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the provider adds reasons; all others can be recovered from
  switch (reason) {
    case DisconnectReason.ROOM_DELETED:
    case DisconnectReason.ROOM_CLOSED:
      return 'closed'
    case DisconnectReason.PARTICIPANT_REMOVED:
      return 'removed'
    case DisconnectReason.DUPLICATE_IDENTITY:
      return 'elsewhere'
    default:
      return 'dropped'
  }
}
