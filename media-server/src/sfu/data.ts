import { DataPacket, DataPacket_Kind, type SendDataRequest, UserPacket } from '@livekit/protocol'
import type { RTCDataChannel } from 'werift'
import { reasonOf } from '../lib/log.ts'
import { type DataKind, kindOfLabel } from './data-channel.ts'
import type { Participant } from './participant.ts'
import type { Room } from './room.ts'

const KINDS: Record<DataKind, DataPacket_Kind> = {
  reliable: DataPacket_Kind.RELIABLE,
  lossy: DataPacket_Kind.LOSSY,
}

/** Relays what arrives on a channel that the client opened. */
export function serveDataChannel(room: Room, sender: Participant, channel: RTCDataChannel): void {
  const kind = kindOfLabel(channel.label)
  if (kind === undefined) return
  channel.onMessage.subscribe((message) => {
    try {
      relay(room, sender, kind, DataPacket.fromBinary(Buffer.from(message)))
    } catch (error) {
      const reason = reasonOf(error)
      room.context.log({
        level: 'warn',
        msg: 'data packet dropped',
        participant: sender.sid,
        reason,
      })
    }
  })
}

/** A message of the server, from nobody. Destinations that are absent are skipped. */
export function sendServerData(room: Room, request: SendDataRequest): void {
  const { data, destinationIdentities, destinationSids, topic, nonce } = request
  const packet = new DataPacket({
    kind: request.kind,
    destinationIdentities,
    value: {
      case: 'user',
      value: new UserPacket({
        payload: data,
        destinationIdentities,
        destinationSids,
        nonce,
        ...(topic === undefined ? {} : { topic }),
      }),
    },
  })
  const kind = request.kind === DataPacket_Kind.LOSSY ? 'lossy' : 'reliable'
  deliver(room, { kind, packet, destinationSids })
}

function relay(room: Room, sender: Participant, kind: DataKind, packet: DataPacket): void {
  if (!sender.permission.canPublishData || sender.isGone) return
  // Transcriptions may come from agents only.
  if (packet.value.case === 'transcription' && !sender.permission.agent) return
  if (kind === 'reliable' && packet.sequence > 0) {
    // A client that resumed sends again what it does not know to have arrived.
    if (packet.sequence <= sender.lastReliableSequence) return
    sender.lastReliableSequence = packet.sequence
  }

  packet.kind = KINDS[kind]
  packet.participantSid = sender.isHidden ? '' : sender.sid
  packet.participantIdentity = sender.isHidden ? '' : sender.identity
  let destinationSids: string[] = []
  if (packet.value.case === 'user') {
    const user = packet.value.value
    destinationSids = user.destinationSids
    if (packet.destinationIdentities.length === 0) {
      packet.destinationIdentities = user.destinationIdentities
    }
    user.destinationIdentities = packet.destinationIdentities
    user.participantSid = packet.participantSid
    user.participantIdentity = packet.participantIdentity
  }
  deliver(room, { kind, packet, destinationSids, sender })
}

function deliver(
  room: Room,
  message: {
    kind: DataKind
    packet: DataPacket
    destinationSids: readonly string[]
    sender?: Participant
  },
): void {
  const { packet, destinationSids, sender } = message
  const identities = packet.destinationIdentities
  const isForAll = identities.length === 0 && destinationSids.length === 0
  const payload = Buffer.from(packet.toBinary())
  for (const participant of room.participants.values()) {
    if (participant === sender) continue
    const isNamed =
      identities.includes(participant.identity) || destinationSids.includes(participant.sid)
    if (isForAll || isNamed) participant.sendData(message.kind, payload)
  }
}
