import type { AdmissionCheckBody } from '@interview-room/contract/admission-check.ts'
import type { Capabilities } from '@interview-room/contract/capabilities.ts'
import type { ConsentPurpose } from '@interview-room/contract/consent-rules.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { DeviceKind, DeviceProblem } from '../devices/device-problem.ts'
import type { Consents } from './call-consents.ts'
import { type Refusal, type Trouble, UNAVAILABLE } from './refusal.ts'

export type Quality = 'good' | 'fair' | 'poor' | 'lost' | 'unknown'
export type DeviceState = 'on' | 'off' | 'starting'

/** The video of a person. `attach` shows it in an element and returns a function that stops it. */
export interface VideoState {
  id: string
  isMirrored: boolean
  /** The media server sends no video for now, because the own connection cannot carry it. */
  isPausedByNetwork: boolean
  attach(element: HTMLVideoElement): () => void
}

/** A participant as everybody may see them. */
export interface Person {
  identity: string
  name: string
  role: 'moderator' | 'panelist' | null
  isLocal: boolean
  isSpeaking: boolean
  isMuted: boolean
  picture: VideoState | null
  /** The screen or window that they share. */
  screen: VideoState | null
  quality: Quality
}

interface Me {
  role: Role
  name: string
}

export interface CallFacts {
  me: Me
  capabilities: Capabilities
  sessionName: string | null
  /** The room is always recorded, or was being recorded when this page entered. */
  isRecorded: boolean
  startsAt: Date | null
  endsAt: Date | null
  consents: Consents
  /** The page that a panelist may go to afterwards. */
  returnUrl: string | null
}

/** The part of the state that changes while the call is connected. */
export interface Scene {
  people: readonly Person[]
  /** Identity of the person at this page. They are not in `people` while they may not send. */
  identity: string
  /** Quality of the own connection. A person who only watches is not in `people`. */
  quality: Quality
  microphone: DeviceState
  camera: DeviceState
  problems: Partial<Record<DeviceKind, DeviceProblem>>
  /** The browser waits for a tap before it plays sound. */
  isAudioBlocked: boolean
  isSpeakingWhileMuted: boolean
  /** The microphone is on, and sends nothing but digital silence. */
  isMicrophoneSilent: boolean
  /** A moderator asked to mute, and the person has not touched the microphone since. */
  isMuteAsked: boolean
  /** The device that took over when another one was unplugged. */
  replaced: { kind: DeviceKind; label: string } | null
  /** `on` while others see the own screen; `failed` if a screen was chosen and could not be sent. */
  screenShare: 'off' | 'on' | 'failed'
}

/** The stages of the way into the room: the service lets the person in, the signalling opens, media comes up. */
export const STAGES = ['entering', 'signalling', 'media'] as const
export type Stage = (typeof STAGES)[number]

export type CallState =
  /** The check for permission to enter is running, and the browser is not asked for devices yet. */
  | { phase: 'checking' }
  /** The room has opened while the person waited. They have not pressed anything since. */
  | { phase: 'open'; preview: AdmissionCheckBody }
  | { phase: 'lobby'; preview: AdmissionCheckBody }
  /** `stage` is the furthest one since the press on Join. `trouble` is the diagnosis, once there is one. */
  | { phase: 'joining'; stage: Stage; trouble: Trouble | null }
  /** Admitted, and being asked for consent before the first media. */
  | { phase: 'consent'; purpose: ConsentPurpose; isLast: boolean; consents: Consents }
  | { phase: 'live' | 'reconnecting'; facts: CallFacts; scene: Scene }
  /** `facts` describe the room that the person was in until then. */
  | { phase: 'refused'; refusal: Refusal; facts?: CallFacts }
  | { phase: 'left'; facts: CallFacts }

export type CallEvent =
  | { type: 'checking' }
  | { type: 'checked'; preview: AdmissionCheckBody }
  | { type: 'prepared' }
  | { type: 'joining' }
  | { type: 'reached'; stage: Stage }
  | { type: 'diagnosed'; trouble: Trouble }
  | { type: 'asked'; purpose: ConsentPurpose; isLast: boolean; consents: Consents }
  | { type: 'consented'; consents: Consents }
  | { type: 'connected'; facts: CallFacts; scene: Scene }
  | { type: 'changed'; scene: Partial<Scene> }
  | { type: 'interrupted' }
  | { type: 'resumed' }
  | { type: 'refused'; refusal: Refusal }
  | { type: 'left' }

export const EMPTY_SCENE: Scene = {
  people: [],
  identity: '',
  quality: 'unknown',
  microphone: 'off',
  camera: 'off',
  problems: {},
  isAudioBlocked: false,
  isSpeakingWhileMuted: false,
  isMicrophoneSilent: false,
  isMuteAsked: false,
  replaced: null,
  screenShare: 'off',
}

/** The next state of a call. An event that arrives too late for its state changes nothing. */
// oxlint-disable-next-line typescript/consistent-return -- the compiler sees that the switch is complete
export function nextState(state: CallState, event: CallEvent): CallState {
  switch (event.type) {
    case 'checking':
      // A waiting person keeps seeing the waiting page meanwhile.
      return state.phase === 'refused' && !isWaiting(state) ? { phase: 'checking' } : state
    case 'checked':
      return afterCheck(state, event.preview)
    case 'prepared':
      return state.phase === 'open' ? { phase: 'lobby', preview: state.preview } : state
    case 'joining':
      return isInRoom(state) ? state : { phase: 'joining', stage: 'entering', trouble: null }
    case 'reached':
      return state.phase === 'joining' && isFurther(event.stage, state.stage)
        ? { phase: 'joining', stage: event.stage, trouble: null }
        : state
    case 'diagnosed':
      return state.phase === 'joining' ? { ...state, trouble: event.trouble } : state
    case 'asked': {
      if (state.phase !== 'joining' && state.phase !== 'consent') return state
      const { type: _, ...question } = event
      return { phase: 'consent', ...question }
    }
    case 'consented':
      return isInRoom(state)
        ? { ...state, facts: { ...state.facts, consents: event.consents } }
        : state
    case 'connected':
      if (state.phase !== 'joining' && state.phase !== 'reconnecting') return state
      return { phase: 'live', facts: event.facts, scene: event.scene }
    case 'changed':
      return isInRoom(state) ? { ...state, scene: { ...state.scene, ...event.scene } } : state
    case 'interrupted':
      return isInRoom(state) ? { ...state, phase: 'reconnecting' } : state
    case 'resumed':
      return isInRoom(state) ? { ...state, phase: 'live' } : state
    case 'refused': {
      const { refusal } = event
      if (isInRoom(state)) return { phase: 'refused', refusal, facts: state.facts }
      return isOnTheWay(state) ? { phase: 'refused', refusal: unconnected(state, refusal) } : state
    }
    case 'left':
      return isInRoom(state) ? { phase: 'left', facts: state.facts } : state
  }
}

/** Not inside yet, and not refused for good. */
function isOnTheWay(state: CallState): boolean {
  return ['checking', 'joining', 'consent'].includes(state.phase) || isWaiting(state)
}

/** Too early, and waiting for the room to open. */
function isWaiting(state: CallState): boolean {
  return state.phase === 'refused' && state.refusal.page === 'too-early'
}

/** A waiting person is told that the room is open, and enters by pressing a button. */
function afterCheck(state: CallState, preview: AdmissionCheckBody): CallState {
  if (isWaiting(state)) return { phase: 'open', preview }
  return state.phase === 'checking' ? { phase: 'lobby', preview } : state
}

function isFurther(stage: Stage, than: Stage): boolean {
  return STAGES.indexOf(stage) > STAGES.indexOf(than)
}

/** A person who never had a connection has not lost one. The page says why it did not come up. */
function unconnected(state: CallState, refusal: Refusal): Refusal {
  if (refusal.page !== 'lost' && refusal.page !== 'unavailable') return refusal
  const trouble = state.phase === 'joining' ? state.trouble : null
  return trouble === null ? UNAVAILABLE : { ...UNAVAILABLE, trouble }
}

/** The states in which somebody is in the room. */
export type InRoom = Extract<CallState, { phase: 'live' | 'reconnecting' }>

/** True if nobody else is there. Unknown while the connection is being replaced. */
export function isAlone({ phase, scene }: InRoom): boolean {
  return phase === 'live' && scene.people.every(({ isLocal }) => isLocal)
}

export function isInRoom(state: CallState): state is InRoom {
  return state.phase === 'live' || state.phase === 'reconnecting'
}
