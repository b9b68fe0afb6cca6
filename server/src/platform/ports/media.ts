import { randomUUID } from 'node:crypto'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { EgressList, EgressOwner, EgressSpec, RunningEgress, StartedEgress } from './egress.ts'

/** Kinds of participants that are brought into media rooms by others than the service. */
export const GUEST_KINDS = ['agent', 'sip', 'ingress', 'connector'] as const
export type GuestKind = (typeof GUEST_KINDS)[number]

/** A participant of such a kind. It is removed unless the room's tenant allows the kind. */
export interface Guest {
  kind: GuestKind
  /** Its name at the provider; may be empty. */
  name: string
}

/** One person's connection as the provider sees it. */
export interface MediaConnection {
  /** Our id: participant id, or admission id on the simple route. */
  identity: string
  /** The provider's id, one per connection. */
  sid: string
  joinedAt: Date
  /** False for recorders. Who is no recorder is removed unless the service admitted them. */
  isPerson: boolean
  /** Undefined for people who come through the service, and for unknown kinds. */
  guest?: Guest | undefined
  /** False until its media connection is up. */
  isActive: boolean
  /** Has a track that others can receive, muted or not. */
  isPublishing: boolean
  /** Has such a track that is not muted. */
  isSending: boolean
  /** The rights that the provider enforces now. */
  rights: MediaRights
}

/** Sound of one microphone: 16 kHz, mono, signed 16 bit, some 20 ms. */
export interface HeardSound {
  identity: string
  /** The provider's id of the track. */
  track: string
  pcm: Int16Array
}

const MASK_PREFIX = 'mask-'

/** A new identity for a connection of `maskArrivals` or `listen`. */
export const newMaskIdentity = () => `${MASK_PREFIX}${randomUUID()}`

/** Connections of `maskArrivals` and `listen` are nobody: they are in no list, and no notification of them counts. */
export const isMaskIdentity = (identity: unknown) =>
  typeof identity === 'string' && identity.startsWith(MASK_PREFIX)

/** The media rights of a connection, within those of its role. */
export interface MediaRights {
  mayPublish: boolean
  mayReceive: boolean
  /** Allows the screen where the role alone does not. */
  mayShareScreen?: true
}

export const ALL_RIGHTS: MediaRights = { mayPublish: true, mayReceive: true }

export interface MediaRoomSpec {
  /** The room's id; the provider knows the media room by this name. */
  name: string
  /** The tenant of the room; absent if there is none, or it has to be looked up. */
  tenantId?: string | undefined
  /** How long the media room may stand empty, in seconds, before and between visits. */
  emptyTimeoutSec: number
  metadata: Record<string, string>
}

interface MediaRoom {
  name: string
  sid: string
  /** The number of connections as the provider counts them, without hidden people and agents. */
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
  /** Creates the media room, or returns the existing one, with the timeout that it was created with. Safe to repeat. */
  ensureRoom(spec: MediaRoomSpec): Promise<{ sid: string; emptyTimeoutSec: number }>
  deleteRoom(name: string): Promise<void>
  /** Returns those of these media rooms that exist. */
  listRooms(names: readonly string[]): Promise<MediaRoom[]>
  /** Everybody connected, including hidden people; undefined if the media room does not exist. */
  listConnections(mediaRoom: string): Promise<MediaConnection[] | undefined>
  removeConnection(mediaRoom: string, identity: string): Promise<void>
  /** Mutes this person's microphone. Does nothing if the person publishes none or is gone. */
  muteMicrophone(mediaRoom: string, identity: string): Promise<void>
  /** Replaces the rights from the token. Does nothing if the person is gone. */
  updateRights(
    mediaRoom: string,
    whose: Pick<MediaGrant, 'identity' | 'role' | 'rights'>,
  ): Promise<void>
  /** The recorders that take orders, in the order in which to try them for the next egress. At least one. */
  recordersInTurn(mediaRoom: string): Promise<readonly string[]>
  /** Starts to write a file. Unless the error says `hasNoEffect`, it may have started. */
  startEgress(spec: EgressSpec): Promise<StartedEgress>
  /**
   * Stops it; the file follows. One that has ended, or that its own recorder does not know, counts as stopped.
   * `endsAskedAt`: the time of the command, which was given before this call.
   */
  stopEgress(egress: EgressOwner & { endsAskedAt?: Date | null }): Promise<void>
  /**
   * The egresses of this media room, including those that ended lately. `recorders` names the recorders whose answer is required;
   * null asks all. Throws only if no recorder at all answers.
   */
  listEgress(mediaRoom: string, recorders: readonly (string | null)[]): Promise<EgressList>
  /** Every running egress of this recorder, by id, over all media rooms. */
  listRunning(recorder: string): Promise<ReadonlyMap<string, RunningEgress>>
  /**
   * True if a connection to this recorder's address is accepted. The machine of a slow or even a stopped process accepts it; once
   * the process has ended, nothing does. An address that is not configured is not called, and counts as reachable.
   */
  isReachable(recorder: string): Promise<boolean>
  /**
   * Connects once to this media room, unseen, so that the provider reports an arrival to everybody in it, and leaves: see
   * docs/livekit.md. Takes up to five seconds. False if the provider reports no arrivals. Ends early by the signal, with its reason.
   */
  maskArrivals(mediaRoom: string, signal: AbortSignal): Promise<boolean>
  /**
   * Joins this media room, unseen, and passes on what its open microphones send. Resolves with true when the media room has ended or
   * the connection is lost, and with false if nothing can be heard from this provider. Throws `MediaError` if it is not let in. Ends
   * by the signal, with its reason.
   */
  listen(
    mediaRoom: string,
    hear: (sound: HeardSound) => void,
    signal: AbortSignal,
  ): Promise<boolean>
  /** A short-lived token by which a browser joins; signed locally. */
  signToken(grant: MediaGrant): Promise<string>
  /** The address at which a browser joins this media room. */
  addressOf(mediaRoom: string): Promise<string>
  /** Resolves when the provider answers. For readiness. */
  check(): Promise<void>
}

export class MediaError extends Error {
  override name = 'MediaError'
  /** The provider does not accept our key, or a token signed by it. */
  readonly isUnauthorized: boolean
  /** The call was refused, or never arrived, and had no effect. */
  readonly hasNoEffect: boolean

  constructor(message: string, { isUnauthorized = false, hasNoEffect = false } = {}) {
    super(message)
    this.isUnauthorized = isUnauthorized
    this.hasNoEffect = hasNoEffect
  }
}
