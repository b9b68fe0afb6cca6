import { DataPacket_Kind, type Room, RoomEvent } from 'livekit-client'

interface NamedParticipant {
  identity: string
}

interface SourcedTrack {
  source: string
}

/** Writes each event of the room down as one line. */
export function recordEvents(room: Room, seen: string[]): void {
  const note = (event: string, ...details: (string | number | undefined)[]): void => {
    seen.push([event, ...details.map((detail) => String(detail ?? '-'))].join(' '))
  }
  const ofPublication =
    (event: string) =>
    (publication: SourcedTrack, { identity }: NamedParticipant): void =>
      note(event, identity, publication.source)

  room
    .on(RoomEvent.Disconnected, (reason) => note('disconnected', reason))
    .on(RoomEvent.Reconnecting, () => note('reconnecting'))
    .on(RoomEvent.SignalReconnecting, () => note('signalReconnecting'))
    .on(RoomEvent.Reconnected, () => note('reconnected'))
    .on(RoomEvent.ParticipantConnected, ({ identity }) => note('participantConnected', identity))
    .on(RoomEvent.ParticipantDisconnected, ({ identity }) =>
      note('participantDisconnected', identity),
    )
    .on(RoomEvent.TrackPublished, ofPublication('trackPublished'))
    .on(RoomEvent.TrackUnpublished, ofPublication('trackUnpublished'))
    .on(RoomEvent.TrackMuted, ofPublication('trackMuted'))
    .on(RoomEvent.TrackUnmuted, ofPublication('trackUnmuted'))
    .on(RoomEvent.LocalTrackPublished, ofPublication('localTrackPublished'))
    .on(RoomEvent.LocalTrackUnpublished, ofPublication('localTrackUnpublished'))
    .on(RoomEvent.LocalTrackSubscribed, ofPublication('localTrackSubscribed'))
    .on(RoomEvent.TrackSubscribed, (_, publication, { identity }) =>
      note('trackSubscribed', identity, publication.source),
    )
    .on(RoomEvent.TrackStreamStateChanged, (_, state, { identity }) =>
      note('streamState', identity, state),
    )
    .on(RoomEvent.TrackUnsubscribed, (_, publication, { identity }) =>
      note('trackUnsubscribed', identity, publication.source),
    )
  recordWords(room, note)
}

type Note = (event: string, ...details: (string | number | undefined)[]) => void

function recordWords(room: Room, note: Note): void {
  room
    .on(RoomEvent.RoomMetadataChanged, (metadata) => note('roomMetadataChanged', metadata))
    .on(RoomEvent.ParticipantMetadataChanged, (_, { identity, metadata }) =>
      note('metadataChanged', identity, metadata),
    )
    .on(RoomEvent.ParticipantNameChanged, (name, { identity }) =>
      note('nameChanged', identity, name),
    )
    .on(RoomEvent.ParticipantAttributesChanged, (changed, { identity }) =>
      note('attributesChanged', identity, JSON.stringify(changed)),
    )
    .on(RoomEvent.ParticipantPermissionsChanged, (_, { identity, permissions }) =>
      note('permissionsChanged', identity, permissions?.canPublish ? 'publish' : 'no-publish'),
    )
    .on(RoomEvent.ActiveSpeakersChanged, (speakers) =>
      note('activeSpeakers', speakers.map(({ identity }) => identity).join(',')),
    )
    .on(RoomEvent.DataReceived, (...[payload, participant, kind, topic]) => {
      const way = kind === DataPacket_Kind.RELIABLE ? 'reliable' : 'lossy'
      note('data', participant?.identity, way, topic, new TextDecoder().decode(payload))
    })
}
