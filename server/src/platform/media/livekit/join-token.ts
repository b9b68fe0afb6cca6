import { createSecretKey } from 'node:crypto'
import { CAPABILITIES, type Capabilities } from '@interview-room/contract/capabilities.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { ParticipantPermission, TrackSource } from '@livekit/protocol'
import type { VideoGrant } from 'livekit-server-sdk'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { signJws } from '../../lib/compact-jws.ts'
import { type MediaGrant, type MediaRights, newMaskIdentity } from '../../ports/media.ts'

/**
 * livekit-server sends every client the number of participants, within five seconds of each that comes or goes.
 * Hidden ones count; agents do not.
 */
const UNCOUNTED_KIND = 'agent'

/** It is used immediately, and perhaps again to resume a connection that was interrupted. */
const UNSEEN_TOKEN_LIFE_SEC = 600

/**
 * The token with which a browser joins. Chat and commands go through the service: only moderators may send data, for their pointer
 * on a handout.
 */
export async function signJoinToken(
  { apiKey, apiSecret, clock }: Pick<Config['livekit'], 'apiKey' | 'apiSecret'> & { clock: Clock },
  { mediaRoom, identity, displayName, role, rights, lifeSec }: MediaGrant,
): Promise<string> {
  const can = CAPABILITIES[role]
  const canPublishSources = sourcesOf(role, rights)
  const video: Omit<VideoGrant, 'canPublishSources'> & { canPublishSources: string[] } = {
    roomJoin: true,
    room: mediaRoom,
    canPublish: canPublishSources.length > 0,
    canPublishSources,
    canSubscribe: rights.mayReceive,
    canPublishData: can.canModerate,
    canUpdateOwnMetadata: false,
    hidden: !can.isVisible,
  }
  const nowMs = clock().getTime()
  const nowSec = Math.floor(nowMs / 1000)
  const claims = {
    iss: apiKey,
    sub: identity,
    name: displayName,
    metadata: JSON.stringify({ role }),
    video,
    ...(!can.isVisible && { kind: UNCOUNTED_KIND }),
    // In fractions of a second: a media server that refuses the tokens of somebody removed can then
    // take one that was issued right after. Never a whole second, which would be read as rounded.
    iat: (nowMs % 1000 === 0 ? nowMs - 1 : nowMs) / 1000,
    nbf: nowSec,
    exp: nowSec + lifeSec,
  }
  return signJws({ alg: 'HS256' }, claims, createSecretKey(apiSecret, 'utf8'))
}

/** The token of a connection that nobody sees and that sends nothing. Unless it listens, it receives nothing, either. */
export function signUnseenToken(
  { apiKey, apiSecret, clock }: Pick<Config['livekit'], 'apiKey' | 'apiSecret'> & { clock: Clock },
  { mediaRoom, listens }: { mediaRoom: string; listens: boolean },
): string {
  const nowSec = Math.floor(clock().getTime() / 1000)
  const claims = {
    iss: apiKey,
    sub: newMaskIdentity(),
    video: {
      roomJoin: true,
      room: mediaRoom,
      canPublish: false,
      canPublishData: false,
      canSubscribe: listens,
      hidden: true,
      // A release that does not know masks takes others for people.
      agent: true,
    },
    kind: UNCOUNTED_KIND,
    nbf: nowSec,
    exp: nowSec + UNSEEN_TOKEN_LIFE_SEC,
  }
  return signJws({ alg: 'HS256' }, claims, createSecretKey(apiSecret, 'utf8'))
}

const SOURCES = {
  camera: TrackSource.CAMERA,
  microphone: TrackSource.MICROPHONE,
  screen_share: TrackSource.SCREEN_SHARE,
  screen_share_audio: TrackSource.SCREEN_SHARE_AUDIO,
} as const
type Source = keyof typeof SOURCES

/** The same rights as an update, which replaces a permission as a whole. */
export function permissionOf({
  role,
  rights,
}: Pick<MediaGrant, 'role' | 'rights'>): ParticipantPermission {
  const sources = sourcesOf(role, rights)
  return new ParticipantPermission({
    canSubscribe: rights.mayReceive,
    canPublish: sources.length > 0,
    canPublishSources: sources.map((source) => SOURCES[source]),
    canPublishData: CAPABILITIES[role].canModerate,
    canUpdateMetadata: false,
    hidden: !CAPABILITIES[role].isVisible,
  })
}

/** The sources that a person may publish within the role, in LiveKit's words. */
function sourcesOf(role: Role, { mayPublish, mayShareScreen }: MediaRights): Source[] {
  const can: Capabilities = CAPABILITIES[role]
  if (!mayPublish) return []
  return [
    ...(can.canPublishCamera ? (['camera'] as const) : []),
    ...(can.canPublishMicrophone ? (['microphone'] as const) : []),
    ...(can.canShareScreen || mayShareScreen === true
      ? (['screen_share', 'screen_share_audio'] as const)
      : []),
  ]
}
