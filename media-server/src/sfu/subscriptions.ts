import {
  TrackSubscribed,
  type UpdateSubscription,
  type UpdateTrackSettings,
} from '@livekit/protocol'
import { reasonOf } from '../lib/log.ts'
import type { Participant } from './participant.ts'
import type { PublishedTrack } from './published-track.ts'
import type { Room } from './room.ts'

interface Publication {
  publisher: Participant
  track: PublishedTrack
}

/** Everything published that the participant may receive. */
export function publicationsFor(room: Room, participant: Participant): Publication[] {
  return [...room.participants.values()]
    .filter((publisher) => publisher !== participant && publisher.isActive && !publisher.isHidden)
    .flatMap((publisher) => publisher.announcedTracks.map((track) => ({ publisher, track })))
}

/** Makes the participant receive the publications it does not receive yet. */
export function subscribe(
  room: Room,
  subscriber: Participant,
  publications: readonly Publication[],
): void {
  const { canSubscribe } = subscriber.permission
  if (!canSubscribe || subscriber.isGone || !subscriber.subscriber.hasOffered) return
  const wanted = publications.filter(
    ({ track }) => subscriber.subscriber.forwarderOf(track.sid) === undefined,
  )
  if (wanted.length === 0) return

  for (const { publisher, track } of wanted) {
    const { isHidden } = subscriber
    subscriber.subscriber.add(track, { publisherSid: publisher.sid, isHidden })
    if (!isHidden && !track.isSubscriptionSent) {
      track.isSubscriptionSent = true
      const value = new TrackSubscribed({ trackSid: track.sid })
      publisher.send({ case: 'trackSubscribed', value })
    }
  }
  negotiate(room, subscriber)
}

export function unsubscribe(
  room: Room,
  subscriber: Participant,
  trackSids: readonly string[],
): void {
  const removed = trackSids.filter((sid) => subscriber.subscriber.remove(sid))
  if (removed.length > 0) negotiate(room, subscriber)
}

/** A track is new: everybody who subscribes by default receives it. */
export function offerToAll(room: Room, publication: Publication): void {
  if (publication.publisher.isHidden) return
  for (const other of room.participants.values()) {
    if (other !== publication.publisher && other.client.isAutoSubscribing) {
      subscribe(room, other, [publication])
    }
  }
}

export function withdrawFromAll(room: Room, tracks: readonly PublishedTrack[]): void {
  const sids = tracks.map((track) => track.sid)
  for (const participant of room.participants.values()) unsubscribe(room, participant, sids)
}

/** The client's (or an administrator's) choice of tracks. */
export function updateSubscription(
  room: Room,
  participant: Participant,
  update: Pick<UpdateSubscription, 'subscribe' | 'trackSids' | 'participantTracks'>,
): void {
  const sids = [
    ...update.trackSids,
    ...update.participantTracks.flatMap((tracks) => tracks.trackSids),
  ]
  if (!participant.subscriber.hasOffered) {
    for (const sid of sids) participant.askedEarly[update.subscribe ? 'add' : 'delete'](sid)
    return
  }
  if (!update.subscribe) {
    unsubscribe(room, participant, sids)
    return
  }
  const publications = publicationsFor(room, participant)
  subscribe(
    room,
    participant,
    publications.filter(({ track }) => sids.includes(track.sid)),
  )
}

export function updateTrackSettings(participant: Participant, update: UpdateTrackSettings): void {
  for (const sid of update.trackSids) {
    participant.subscriber.forwarderOf(sid)?.configure({
      isDisabled: update.disabled,
      quality: update.quality,
      width: update.width,
    })
  }
}

/** The first offer, of the data channels alone; then what is published already and wanted. */
export function startReceiving(room: Room, participant: Participant): void {
  void offer(room, participant).then(() => {
    const { client, askedEarly } = participant
    const wanted = publicationsFor(room, participant).filter(
      ({ track }) => client.isAutoSubscribing || askedEarly.has(track.sid),
    )
    subscribe(room, participant, wanted)
  })
}

/** Offers what has changed. */
export function negotiate(room: Room, participant: Participant): void {
  if (!participant.isGone) void offer(room, participant)
}

/** When an offer cannot be made, the client is asked to come again from scratch. */
async function offer(room: Room, participant: Participant): Promise<void> {
  try {
    await participant.subscriber.negotiate()
  } catch (error) {
    if (participant.isGone) return
    const reason = reasonOf(error)
    const msg = 'subscriber negotiation failed'
    room.context.log({ level: 'error', msg, participant: participant.sid, reason })
    room.requestRejoin(participant)
  }
}
