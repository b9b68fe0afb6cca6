import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Egress, EgressList, EgressOwner, EgressSpec } from './egress.ts'

/** One person's connection as the provider sees it. */
export interface MediaConnection {
  /** Ours: participant id, or admission id on the simple route. */
  identity: string
  /** The provider's, one per connection. */
  sid: string
  joinedAt: Date
  /** False for recorders and agents, which are not people. */
  isPerson: boolean
  /** False until media is up. */
  isActive: boolean
  /** Has a track that others can receive, muted or not. */
  isPublishing: boolean
  /** Has such a track that is not muted. */
  isSending: boolean
  /** As the provider enforces them now. */
  rights: MediaRights
}

/** What a connection may do with media, of what its role allows. */
export interface MediaRights {
  mayPublish: boolean
  mayReceive: boolean
  /** The screen, too, where the role alone does not allow it. */
  mayShareScreen?: true
}

export const ALL_RIGHTS: MediaRights = { mayPublish: true, mayReceive: true }

export interface MediaRoomSpec {
  /** The room's id; the provider knows the media room by this name. */
  name: string
  /** Whose room it is; absent where it is nobody's, or has to be looked up. */
  tenantId?: string | undefined
  /** How long the media room may stand empty, in seconds, before and between visits. */
  emptyTimeoutSec: number
  metadata: Record<string, string>
}

interface MediaRoom {
  name: string
  sid: string
  /** Connections that the provider counts: hidden people and agents are in no number. */
  connectionCount: number
}

export interface MediaGrant {
  mediaRoom: string
  identity: string
  displayName: string
  role: Role
  rights: MediaRights
  lifeSec: number
}

/**
 * The media provider. Every call has a timeout and throws `MediaError` when the provider cannot be
 * reached or refuses; deleting or removing what is already gone is success.
 */
export interface Media {
  /**
   * Makes the media room, or answers the one that exists, with the timeout that it was made with.
   * Safe to repeat.
   */
  ensureRoom(spec: MediaRoomSpec): Promise<{ sid: string; emptyTimeoutSec: number }>
  deleteRoom(name: string): Promise<void>
  /** Which of these media rooms exist. */
  listRooms(names: readonly string[]): Promise<MediaRoom[]>
  /** Everybody connected, hidden people included; undefined when the media room does not exist. */
  listConnections(mediaRoom: string): Promise<MediaConnection[] | undefined>
  removeConnection(mediaRoom: string, identity: string): Promise<void>
  /** Mutes what this person publishes from a microphone; who publishes none or is gone is left alone. */
  muteMicrophone(mediaRoom: string, identity: string): Promise<void>
  /** From now on, in place of what the token said; who is gone is left alone. */
  updateRights(
    mediaRoom: string,
    whose: Pick<MediaGrant, 'identity' | 'role' | 'rights'>,
  ): Promise<void>
  /** Who can be asked for an egress, in the order in which to ask for the next one. At least one. */
  recordersInTurn(mediaRoom: string): Promise<readonly string[]>
  /** Begins to write a file. Unless the error says `hasNoEffect`, it may have begun. */
  startEgress(spec: EgressSpec): Promise<Egress>
  /** Ends it; the file follows. One that has ended, or that its own recorder does not know, is done. */
  stopEgress(egress: EgressOwner): Promise<void>
  /**
   * Of this media room, those that ended lately included. `recorders`: those of which it must be known;
   * null asks all. Throws only when no recorder at all answers.
   */
  listEgress(mediaRoom: string, recorders: readonly (string | null)[]): Promise<EgressList>
  /** How many bytes each egress of this recorder has written that has not ended, by their ids, of every media room. */
  listRunning(recorder: string): Promise<ReadonlyMap<string, Egress['writtenBytes']>>
  /**
   * Whether anything takes a connection at the address of this recorder. Where it is only slow, or even stopped, its
   * machine takes it; where it has ended, nobody does. An address that is not configured is not called, and counts as
   * reachable.
   */
  isReachable(recorder: string): Promise<boolean>
  /** A short-lived token by which a browser joins; signed locally. */
  signToken(grant: MediaGrant): Promise<string>
  /** Where a browser joins this media room. */
  addressOf(mediaRoom: string): Promise<string>
  /** Answers when the provider does. For readiness. */
  check(): Promise<void>
}

export class MediaError extends Error {
  override name = 'MediaError'
  /** The provider does not take our key, or a token signed by it. */
  readonly isUnauthorized: boolean
  /** It was refused, or never arrived: nothing has come of the call. */
  readonly hasNoEffect: boolean

  constructor(message: string, { isUnauthorized = false, hasNoEffect = false } = {}) {
    super(message)
    this.isUnauthorized = isUnauthorized
    this.hasNoEffect = hasNoEffect
  }
}
