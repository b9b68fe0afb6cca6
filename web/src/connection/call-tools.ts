import { readCapabilities } from '@interview-room/contract/capabilities.ts'
import type { ConsentPurpose } from '@interview-room/contract/consent-rules.ts'
import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import type { LiveRoom } from '../live/live-room.ts'
import type { Consents } from './call-consents.ts'
import { type CallFacts, type CallState, isInRoom, type Person, type Scene } from './call-state.ts'
import type { Credential, LiveApi } from './live-api.ts'
import type { DeviceChoice, MediaRoom, OpenMediaRoom } from './media-room.ts'
import type { Refusal } from './refusal.ts'
import type { TicketKeeper } from './ticket-keeper.ts'

export interface JoinChoice extends DeviceChoice {
  credential: Credential
  isMicrophoneOn: boolean
  isCameraOn: boolean
}

/** Listens to a microphone and answers one question about it; returns a function that stops it. */
export type WatchMicrophone = (
  track: MediaStreamTrack,
  onAnswer: (isTrue: boolean) => void,
) => () => void

export interface LiveOptions {
  entry: EntryBody
  tickets: TicketKeeper
  /** The live stream announced the end of the visit. */
  onEnded: (refusal: Refusal) => void
  /** The live stream announced a moderator's request to mute. */
  onMuteRequested: () => void
}

export interface CallTools {
  api: LiveApi
  openMediaRoom: OpenMediaRoom
  openLive: (options: LiveOptions) => LiveRoom
  /** True if something answers a plain request at this address of a media server. */
  answersAt: (mediaUrl: string) => Promise<boolean>
  /** True while somebody speaks into a muted microphone. */
  watchMuted: WatchMicrophone
  /** True while a microphone that is on sends no sound. */
  watchSilence: WatchMicrophone
}

/** One attempt to be in the room, from the entry request to the end. */
export interface Visit {
  choice: JoinChoice
  entry: EntryBody
  tickets: TicketKeeper
  live: LiveRoom
  media: MediaRoom
  /** True from when `media` connects until it ends. */
  isMediaUp: boolean
  consents: Consents
  /** The consent questions that are left on entry. */
  questions: readonly ConsentPurpose[]
}

export function factsOf({ entry, consents }: Visit): CallFacts {
  const { participant, capabilities, room, session, return_url: returnUrl } = entry
  return {
    consents,
    returnUrl,
    me: { role: participant.role, name: participant.display_name },
    capabilities: readCapabilities(capabilities),
    sessionName: session?.name ?? null,
    isRecorded: room.is_recorded,
    startsAt: session === null ? null : new Date(session.starts_at),
    endsAt: session === null ? null : new Date(session.ends_at),
  }
}

/**
 * The parts of the scene that the media connection determines. While the connection is being replaced it does not
 * know the people in the room, so the previous ones stay. A connection that is not up determines nothing.
 */
export function sceneNow(state: CallState, visit: Visit | undefined): Partial<Scene> | undefined {
  if (visit === undefined || !isInRoom(state)) return undefined
  const scene = sceneOf(visit.media)
  if (state.phase === 'live') return scene
  return visit.isMediaUp ? { ...scene, people: withOthersOf(state.scene, scene.people) } : undefined
}

function sceneOf(media: MediaRoom) {
  const identity = media.identity()
  return {
    people: media.people(),
    ...(identity !== '' && { identity }),
    quality: media.quality(),
    isAudioBlocked: media.isAudioBlocked(),
  }
}

function withOthersOf(before: Scene, people: readonly Person[]): Person[] {
  const others = before.people.filter(({ isLocal }) => !isLocal)
  const own = people.filter(({ isLocal }) => isLocal)
  return [...own, ...others.map((one) => ({ ...one, isSpeaking: false }))]
}
