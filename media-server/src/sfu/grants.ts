import { ParticipantInfo_Kind, ParticipantPermission, TrackSource } from '@livekit/protocol'
import type { VideoGrant } from '../api/tokens.ts'

const SOURCE_NAMES: readonly (readonly [string, TrackSource])[] = [
  ['camera', TrackSource.CAMERA],
  ['microphone', TrackSource.MICROPHONE],
  ['screen_share', TrackSource.SCREEN_SHARE],
  ['screen_share_audio', TrackSource.SCREEN_SHARE_AUDIO],
]

const KINDS: Record<string, ParticipantInfo_Kind> = {
  standard: ParticipantInfo_Kind.STANDARD,
  ingress: ParticipantInfo_Kind.INGRESS,
  egress: ParticipantInfo_Kind.EGRESS,
  sip: ParticipantInfo_Kind.SIP,
  agent: ParticipantInfo_Kind.AGENT,
  connector: ParticipantInfo_Kind.CONNECTOR,
}

export function kindOf(name: string | undefined): ParticipantInfo_Kind {
  return KINDS[name ?? 'standard'] ?? ParticipantInfo_Kind.STANDARD
}

/** The permission set a token asks for. Publishing and subscribing are allowed unless refused. */
export function permissionOf(video: VideoGrant): ParticipantPermission {
  const canPublish = video.canPublish ?? true
  return new ParticipantPermission({
    canPublish,
    canSubscribe: video.canSubscribe ?? true,
    canPublishData: video.canPublishData ?? canPublish,
    canPublishSources: sourcesOf(video.canPublishSources ?? []),
    canUpdateMetadata: video.canUpdateOwnMetadata ?? false,
    hidden: video.hidden ?? false,
    recorder: video.recorder ?? false,
    agent: video.agent ?? false,
  })
}

/** The grant whose permission set is the given one, for the token that a client is refreshed with. */
export function grantWith(video: VideoGrant, permission: ParticipantPermission): VideoGrant {
  return {
    ...video,
    canPublish: permission.canPublish,
    canSubscribe: permission.canSubscribe,
    canPublishData: permission.canPublishData,
    canPublishSources: namesOf(permission.canPublishSources),
    canUpdateOwnMetadata: permission.canUpdateMetadata,
    hidden: permission.hidden,
  }
}

/** An empty list of sources means every source. */
export function canPublishSource(permission: ParticipantPermission, source: TrackSource): boolean {
  if (!permission.canPublish) return false
  return permission.canPublishSources.length === 0 || permission.canPublishSources.includes(source)
}

function sourcesOf(names: readonly string[]): TrackSource[] {
  return SOURCE_NAMES.filter(([name]) => names.includes(name)).map(([, source]) => source)
}

function namesOf(sources: readonly TrackSource[]): string[] {
  return SOURCE_NAMES.filter(([, source]) => sources.includes(source)).map(([name]) => name)
}
