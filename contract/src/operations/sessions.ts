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
  summary: 'Find the Sessions of an external reference, newest first',
  description: 'Both external parameters are required: there is no list of all Sessions.',
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
  summary: 'Get a Session with its Room',
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
  summary: 'Move or rename a Session',
  description:
    'Merge patch (RFC 7396): what is absent stays, `null` clears (`name` only). The window cannot move once somebody has entered.',
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
  tag: 'Sessions',
  summary: 'Cancel a Session and close its Room',
  description: 'Idempotent. Recordings, chat and entries are kept.',
  params: SessionParams,
  answers: { 204: NOTHING },
  isUrgent: true,
})
