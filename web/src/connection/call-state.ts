import type { Capabilities } from '@interview-room/contract/capabilities.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { DeviceKind, DeviceProblem } from '../devices/device-problem.ts'
import type { Refusal } from './refusal.ts'

export type Quality = 'good' | 'fair' | 'poor' | 'lost' | 'unknown'
export type DeviceState = 'on' | 'off' | 'starting'

/** Moving pictures of a person. `attach` shows them in an element and answers how to stop. */
export interface VideoState {
  id: string
  isMirrored: boolean
  /** The media server sends none of it for now, because the own line does not carry it. */
  isPausedByNetwork: boolean
  attach(element: HTMLVideoElement): () => void
}

/** Somebody in the interview, as everybody may see them. */
export interface Person {
  identity: string
  name: string
  role: 'moderator' | 'panelist' | null
  isLocal: boolean
  isSpeaking: boolean
  isMuted: boolean
  picture: VideoState | null
  /** The screen, or the window of it, that they share. */
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
  /** The room is recorded always, or was when this page came in. */
  isRecorded: boolean
  startsAt: Date | null
  endsAt: Date | null
}

/** What changes while the call is up. */
export interface Scene {
  people: readonly Person[]
  microphone: DeviceState
  camera: DeviceState
  problems: Partial<Record<DeviceKind, DeviceProblem>>
  /** The browser waits for a tap before it plays sound. */
  isAudioBlocked: boolean
  isSpeakingWhileMuted: boolean
  /** A moderator asked to mute, and the microphone was not touched since. */
  isMuteAsked: boolean
  /** The device that was turned to when another one was unplugged. */
  replaced: { kind: DeviceKind; label: string } | null
  /** Whether others see the own screen; `failed` when it was chosen, and could not be sent. */
  screenShare: 'off' | 'on' | 'failed'
}

export type CallState =
  | { phase: 'lobby' }
  | { phase: 'joining' }
  /** Admitted, and asked whether a recording is welcome. */
  | { phase: 'consent'; isOptional: boolean }
  | { phase: 'live' | 'reconnecting'; facts: CallFacts; scene: Scene }
  | { phase: 'refused'; refusal: Refusal }
  | { phase: 'left'; facts: CallFacts }

export type CallEvent =
  | { type: 'joining' }
  | { type: 'asked'; isOptional: boolean }
  | { type: 'connected'; facts: CallFacts; scene: Scene }
  | { type: 'changed'; scene: Partial<Scene> }
  | { type: 'interrupted' }
  | { type: 'resumed' }
  | { type: 'refused'; refusal: Refusal }
  | { type: 'left' }

export const EMPTY_SCENE: Scene = {
  people: [],
  microphone: 'off',
  camera: 'off',
  problems: {},
  isAudioBlocked: false,
  isSpeakingWhileMuted: false,
  isMuteAsked: false,
  replaced: null,
  screenShare: 'off',
}

/** The next state of a call. An event that comes too late for its state changes nothing. */
// oxlint-disable-next-line typescript/consistent-return -- the compiler sees that the switch is complete
export function nextState(state: CallState, event: CallEvent): CallState {
  switch (event.type) {
    case 'joining':
      return isInRoom(state) ? state : { phase: 'joining' }
    case 'asked':
      if (state.phase !== 'joining') return state
      return { phase: 'consent', isOptional: event.isOptional }
    case 'connected':
      if (state.phase !== 'joining' && state.phase !== 'reconnecting') return state
      return { phase: 'live', facts: event.facts, scene: event.scene }
    case 'changed':
      return isInRoom(state) ? { ...state, scene: { ...state.scene, ...event.scene } } : state
    case 'interrupted':
      return isInRoom(state) ? { ...state, phase: 'reconnecting' } : state
    case 'resumed':
      return isInRoom(state) ? { ...state, phase: 'live' } : state
    case 'refused':
      return isOnTheWay(state) || isInRoom(state)
        ? { phase: 'refused', refusal: event.refusal }
        : state
    case 'left':
      return isInRoom(state) ? { phase: 'left', facts: state.facts } : state
  }
}

/** Not inside yet, and not turned away for good. */
function isOnTheWay(state: CallState): boolean {
  if (state.phase === 'refused') return state.refusal.page === 'too-early'
  return state.phase === 'joining' || state.phase === 'consent'
}

/** The states in which somebody is in the room. */
export type InRoom = Extract<CallState, { phase: 'live' | 'reconnecting' }>

export function isInRoom(state: CallState): state is InRoom {
  return state.phase === 'live' || state.phase === 'reconnecting'
}
