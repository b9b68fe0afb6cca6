import { DisconnectReason, type ParticipantInfo, ParticipantUpdate } from '@livekit/protocol'
import { steadyNow } from '../lib/steady-now.ts'
import type { Participant } from './participant.ts'

// From this signal protocol on, a client takes a rejoin as a new sid of the identity it knows.
const IDENTITY_BASED_REJOIN_PROTOCOL = 12

// A client may be without signalling for about half a minute before it is removed itself.
const KEPT_MS = 60_000
const KEPT_MAX = 200

type Others = Iterable<Pick<Participant, 'client' | 'send'>>

/** Announces to those in a room who has left it. */
export class Departures {
  readonly #recent: { info: ParticipantInfo; atMs: number }[] = []
  /** Not announced to clients that wait for another connection of the same identity. */
  readonly #held = new Map<string, ParticipantInfo>()

  /** Departures of the last minute. */
  get recent(): ParticipantInfo[] {
    return this.#recent.filter(({ atMs }) => steadyNow() - atMs < KEPT_MS).map(({ info }) => info)
  }

  announce(info: ParticipantInfo, others: Others): void {
    this.#recent.push({ info, atMs: steadyNow() })
    if (this.#recent.length > KEPT_MAX) this.#recent.shift()
    const isReplaced = isReplacement(info)
    if (isReplaced) this.#held.set(info.identity, info)
    const value = new ParticipantUpdate({ participants: [info] })
    for (const other of others) {
      if (!isReplaced || !takesRejoinByIdentity(other)) other.send({ case: 'update', value })
    }
  }

  /** The next connection of the identity is there: nobody has left. */
  forget(identity: string): void {
    this.#held.delete(identity)
  }

  /** The next connection of the identity, whose info this is, ends before it was there. */
  giveUp(next: ParticipantInfo, others: Others): void {
    const info = this.#held.get(next.identity)
    if (info === undefined || isReplacement(next)) return
    this.#held.delete(next.identity)
    const value = new ParticipantUpdate({ participants: [info] })
    for (const other of others) {
      if (takesRejoinByIdentity(other)) other.send({ case: 'update', value })
    }
  }
}

function isReplacement({ disconnectReason }: ParticipantInfo): boolean {
  return disconnectReason === DisconnectReason.DUPLICATE_IDENTITY
}

function takesRejoinByIdentity({ client }: Pick<Participant, 'client'>): boolean {
  return client.protocol >= IDENTITY_BASED_REJOIN_PROTOCOL
}
