import { listOf } from '../envelope.ts'
import { SessionBody } from '../rooms.ts'
import { SessionPatch, SessionQuery } from '../sessions.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { SessionParams } from './params.ts'
import { SESSION } from './samples.ts'

export const listSessions = operation({
  id: 'listSessions',
  method: 'GET',
  path: '/sessions',
  plane: 'control',
  tag: 'Sessions',
  summary: 'Find sessions by external reference',
  description:
    'Returns your sessions with this external reference, newest first. Use it when you know your own record but not the id of the session. Both parameters are required; you cannot list all sessions.',
  query: SessionQuery,
  answers: { 200: listOf(SessionBody) },
  example: {
    answer: pageOf(SESSION),
  },
})

export const getSession = operation({
  id: 'getSession',
  method: 'GET',
  path: '/sessions/{session_id}',
  plane: 'control',
  tag: 'Sessions',
  summary: 'Get a session',
  description:
    'Returns the session with its current status and the address of its room. Use it to check a booking. The status is derived from the time of the request.',
  params: SessionParams,
  answers: { 200: SessionBody },
  example: {
    answer: SESSION,
  },
})

export const patchSession = operation({
  id: 'patchSession',
  method: 'PATCH',
  path: '/sessions/{session_id}',
  plane: 'control',
  tag: 'Sessions',
  summary: 'Move or rename a session',
  description:
    'Changes the slot or the name (merge patch, RFC 7396). An absent member stays as it is; `null` removes the name. The slot cannot move once someone has entered. The external reference never changes.',
  params: SessionParams,
  body: SessionPatch,
  answers: { 200: SessionBody },
  refusals: [
    'SESSION_ALREADY_STARTED',
    'SESSION_RELEASED',
    'INVALID_TIME_WINDOW',
    'IMMUTABLE_FIELD',
  ],
  example: {
    request: { starts_at: '2030-11-21T01:30:00Z', ends_at: '2030-11-21T02:30:00Z', name: null },
    answer: {
      ...SESSION,
      name: null,
      starts_at: '2030-11-21T01:30:00.000Z',
      ends_at: '2030-11-21T02:30:00.000Z',
    },
  },
})

export const cancelSession = operation({
  id: 'cancelSession',
  method: 'DELETE',
  path: '/sessions/{session_id}',
  plane: 'control',
  makesSafe: true,
  tag: 'Sessions',
  summary: 'Cancel a session',
  description:
    'Cancels the booking and closes the room. The service disconnects everyone and refuses later entries. Recordings, chat and logs are kept. It also returns 204 when the session was already cancelled or its room closed. The same external reference cannot be booked again.',
  params: SessionParams,
  answers: { 204: NOTHING },
  isUrgent: true,
})
