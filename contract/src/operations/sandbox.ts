import {
  ClockAdvance,
  ClockAdvanceBody,
  SimulatedPersonRequest,
  TriggerRequest,
  SANDBOX_TRIGGERS,
  SandboxBody,
  SimulatedPersonBody,
  TriggerBody,
} from '../sandbox.ts'
import { NOTHING, operation } from './operation.ts'
import { ParticipantParams, RoomParams } from './params.ts'
import { ADMISSION_REFUSALS } from './refusals.ts'

const OF_SANDBOX = { plane: 'control', tag: 'Sandbox' } as const
const ROOM_ID = '0197f0a2-6c1e-7b3a-9d54-3f2a1b0c9d8e'
const PERSON = '0197f0a2-7d2f-7c4b-8e65-4a3b2c1d0e9f'

export const getSandbox = operation({
  id: 'getSandbox',
  method: 'GET',
  path: '/sandbox',
  ...OF_SANDBOX,
  summary: 'Get your sandbox',
  description:
    'Returns what can be triggered. Only the tenant of a sandbox has one: to every other tenant it is 404, which is how you tell them apart.',
  answers: { 200: SandboxBody },
  refusals: ['NOT_FOUND'],
  example: {
    answer: {
      triggers: Object.entries(SANDBOX_TRIGGERS).map(([type, reasons]) => ({
        type,
        failure_reasons: [...reasons],
      })),
    },
  },
})

export const addSimulatedPerson = operation({
  id: 'addSimulatedPerson',
  method: 'POST',
  path: '/sandbox/rooms/{room_id}/people',
  ...OF_SANDBOX,
  summary: 'Let a simulated person enter',
  description:
    'Admits somebody as a valid participant token would, with the same refusals, and connects them to the simulated media. Someone with the same external reference enters again. Consent that the room asks for is answered.',
  params: RoomParams,
  body: SimulatedPersonRequest,
  answers: { 201: SimulatedPersonBody },
  refusals: ADMISSION_REFUSALS,
  example: {
    request: {
      role: 'panelist',
      name: 'Hanako Sato',
      external_type: 'User',
      external_id: '7',
      is_publishing: true,
      consent: 'given',
    },
    answer: {
      participant_id: PERSON,
      role: 'panelist',
      display_name: 'Hanako Sato',
      is_publishing: true,
    },
  },
})

export const removeSimulatedPerson = operation({
  id: 'removeSimulatedPerson',
  method: 'DELETE',
  path: '/sandbox/rooms/{room_id}/people/{participant_id}',
  ...OF_SANDBOX,
  summary: 'Let a simulated person leave',
  description:
    'Ends the connection, as if the person had closed the page. A person who is not connected is 404.',
  params: ParticipantParams,
  answers: { 204: NOTHING },
})

export const triggerWebhook = operation({
  id: 'triggerWebhook',
  method: 'POST',
  path: '/sandbox/triggers',
  ...OF_SANDBOX,
  summary: 'Trigger a webhook',
  description:
    'Brings about what the webhook reports: books a room, lets people in, records, transcribes or trims, as far as the type needs it. The webhook follows within seconds, after those of the steps before it. With a `failure_reason` the recorder, the engine or the work fails with it.',
  body: TriggerRequest,
  answers: { 202: TriggerBody },
  refusals: ['NOT_FOUND', 'VALIDATION_ERROR', ...ADMISSION_REFUSALS],
  example: {
    request: { type: 'recording.status_changed', failure_reason: 'upload_failed' },
    answer: {
      type: 'recording.status_changed',
      failure_reason: 'upload_failed',
      room_id: ROOM_ID,
      connection_test_id: null,
    },
  },
})

export const advanceSandboxClock = operation({
  id: 'advanceSandboxClock',
  method: 'POST',
  path: '/sandbox/clock',
  ...OF_SANDBOX,
  summary: 'Advance the clock',
  description:
    'Moves your sessions, unfinished connection tests, what happened in rooms with somebody inside, running recordings, erasures that wait and notices of retention into the past by so many seconds, which is what waiting would do: windows open and close, tests expire, deadlines pass, retention gives notice and deletes. Their own times show it. Retries of webhooks and the life of keys, tokens and URLs stay as they are.',
  body: ClockAdvance,
  answers: { 200: ClockAdvanceBody },
  refusals: ['NOT_FOUND'],
  example: {
    request: { advance_seconds: 3600 },
    answer: { advanced_seconds: 3600, sessions: 2, connection_tests: 0 },
  },
})
