import { type Operations, pageOf } from './operation.ts'
import { SESSION } from './samples.ts'

export const SESSION_OPERATIONS: Operations = {
  'GET /sessions': {
    id: 'listSessions',
    summary: 'Find the Sessions of an external reference, newest first',
    description: 'Both external parameters are required: there is no list of all Sessions.',
    answer: pageOf(SESSION),
  },
  'GET /sessions/{session_id}': {
    id: 'getSession',
    summary: 'Get a Session with its Room',
    answer: SESSION,
  },
  'PATCH /sessions/{session_id}': {
    id: 'patchSession',
    summary: 'Move or rename a Session',
    description:
      'Merge patch (RFC 7396): what is absent stays, `null` clears (`name` only). The window cannot move once somebody has entered.',
    refusals: [
      'SESSION_ALREADY_STARTED',
      'SESSION_RELEASED',
      'INVALID_TIME_WINDOW',
      'IMMUTABLE_FIELD',
    ],
    request: { starts_at: '2030-11-21T01:30:00Z', ends_at: '2030-11-21T02:30:00Z', name: null },
    answer: {
      ...SESSION,
      name: null,
      starts_at: '2030-11-21T01:30:00.000Z',
      ends_at: '2030-11-21T02:30:00.000Z',
    },
  },
  'DELETE /sessions/{session_id}': {
    id: 'cancelSession',
    summary: 'Cancel a Session and close its Room',
    description: 'Idempotent. Recordings, chat and entries are kept.',
  },
}
