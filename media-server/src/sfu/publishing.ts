import {
  type AddTrackRequest,
  MuteTrackRequest,
  ParticipantInfo,
  RequestResponse,
  RequestResponse_Reason,
  Room as RoomInfo,
  SimulcastCodecInfo,
  TrackInfo,
  TrackPublishedResponse,
  TrackType,
  TrackUnpublishedResponse,
} from '@livekit/protocol'
import { newId } from '../lib/ids.ts'
import type { OfferedSection } from '../rtc/sdp-sections.ts'
import { canPublishSource } from './grants.ts'
import type { Participant } from './participant.ts'
import { PublishedTrack, trackPrefix } from './published-track.ts'
import type { Room } from './room.ts'
import { offerToAll, withdrawFromAll } from './subscriptions.ts'

/** The client wants to publish. Media comes with an offer, before or after. */
export function addTrack(room: Room, participant: Participant, request: AddTrackRequest): void {
  const isKnownType = request.type === TrackType.AUDIO || request.type === TrackType.VIDEO
  if (!isKnownType || !canPublishSource(participant.permission, request.source)) {
    participant.send({
      case: 'requestResponse',
      value: new RequestResponse({
        reason: RequestResponse_Reason.NOT_ALLOWED,
        request: { case: 'addTrack', value: request },
      }),
    })
    return
  }
  const track =
    pendingTracks(participant).find((pending) => pending.cid === request.cid) ??
    new PublishedTrack(request.cid, trackInfoOf(request))
  participant.tracks.set(track.sid, track)
  const value = new TrackPublishedResponse({ cid: request.cid, track: track.info })
  participant.send({ case: 'trackPublished', value })
  // The client still has to offer that a withdrawn track has stopped.
  const { sections, withdrawnMids } = participant
  matchByTrackId(
    participant,
    sections.filter(({ mid }) => !withdrawnMids.has(mid)),
  )
  announceReady(room, participant)
}

/** Compares the media sections of an offer with what is published. */
export function applySections(
  room: Room,
  participant: Participant,
  sections: readonly OfferedSection[],
): void {
  participant.sections = sections
  participant.withdrawnMids.clear()
  for (const section of sections) {
    const track = participant.publisher.trackAt(section.mid)
    // There is no message for unpublishing: the section stops sending.
    if (!section.isSending && track !== undefined) unpublish(room, participant, track)
  }
  matchByTrackId(participant, sections)
  matchByKind(participant, sections)
  announceReady(room, participant)
}

/** Lets the room know of what has its media section, once the participant itself is known. */
export function announceReady(room: Room, participant: Participant): void {
  if (!participant.isActive) return
  for (const track of participant.tracks.values()) {
    if (track.isAnnounced || track.origin === undefined) continue

    track.isAnnounced = true
    room.sendChange(participant, 'others')
    room.notify({ event: 'track_published', ...trackSubject(room, participant, track) })
    offerToAll(room, { publisher: participant, track })
  }
}

export function unpublish(room: Room, participant: Participant, track: PublishedTrack): void {
  participant.tracks.delete(track.sid)
  participant.publisher.detach(track)
  if (!track.isAnnounced) return

  if (!participant.isGone) room.sendChange(participant, 'others')
  withdrawFromAll(room, [track])
  room.notify({ event: 'track_unpublished', ...trackSubject(room, participant, track) })
}

/** Unpublishes what the participant may no longer publish, and notifies its client. */
export function unpublishForbidden(room: Room, participant: Participant): void {
  for (const track of participant.tracks.values()) {
    if (canPublishSource(participant.permission, track.info.source)) continue
    const value = new TrackUnpublishedResponse({ trackSid: track.sid })
    participant.send({ case: 'trackUnpublished', value })
    if (track.origin !== undefined) participant.withdrawnMids.add(track.origin.mid)
    unpublish(room, participant, track)
  }
}

export function setMuted(
  room: Room,
  participant: Participant,
  { track, isMuted, by }: { track: PublishedTrack; isMuted: boolean; by: 'client' | 'server' },
): void {
  if (track.info.muted === isMuted) return
  track.setMuted(isMuted)
  if (by === 'server') {
    const value = new MuteTrackRequest({ sid: track.sid, muted: isMuted })
    participant.send({ case: 'mute', value })
  }
  room.sendChange(participant)
}

function trackInfoOf(request: AddTrackRequest): TrackInfo {
  const mimeType = request.type === TrackType.AUDIO ? 'audio/opus' : 'video/VP8'
  return new TrackInfo({
    sid: newId(trackPrefix(request.type, request.source)),
    type: request.type,
    name: request.name,
    muted: request.muted,
    encryption: request.encryption,
    width: request.width,
    height: request.height,
    source: request.source,
    layers: request.layers,
    simulcast: request.layers.length > 1,
    mimeType,
    stereo: request.stereo,
    disableRed: request.disableRed,
    disableDtx: request.disableDtx,
    stream: request.stream,
    audioFeatures: request.audioFeatures,
    codecs: [new SimulcastCodecInfo({ mimeType, cid: request.cid, layers: request.layers })],
  })
}

function pendingTracks(participant: Participant): PublishedTrack[] {
  return [...participant.tracks.values()].filter((track) => track.origin === undefined)
}

function matchByTrackId(participant: Participant, sections: readonly OfferedSection[]): void {
  for (const section of sections) {
    const track = pendingTracks(participant).find(
      (pending) => pending.cid === section.trackId && pending.kind === section.kind,
    )
    if (section.isSending && track !== undefined) attach(participant, section, track)
  }
}

// Some clients announce one id and offer another.
function matchByKind(participant: Participant, sections: readonly OfferedSection[]): void {
  for (const section of sections) {
    if (!section.isSending || participant.publisher.trackAt(section.mid) !== undefined) continue
    const track = pendingTracks(participant).find((pending) => pending.kind === section.kind)
    if (track !== undefined) attach(participant, section, track)
  }
}

function attach(participant: Participant, section: OfferedSection, track: PublishedTrack): void {
  participant.publisher.attach(section.mid, track)
  track.info.mid = section.mid
  for (const codec of track.info.codecs) codec.mid = section.mid
}

/** Events of tracks name room and participant only. */
function trackSubject(room: Room, participant: Participant, track: PublishedTrack) {
  return {
    room: new RoomInfo({ sid: room.sid, name: room.name }),
    participant: new ParticipantInfo({ sid: participant.sid, identity: participant.identity }),
    track: track.info,
  }
}
