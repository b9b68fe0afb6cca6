import { HandoutPatch, NewHandout } from '../handouts.ts'
import { type Operations, pageOf } from './operation.ts'
import { HANDOUT } from './samples.ts'

export const HANDOUT_OPERATIONS: Operations = {
  'POST /sessions/{session_id}/handouts': {
    id: 'registerHandout',
    summary: 'Register a Handout',
    description:
      'Registering an external reference again replaces the file and keeps the id. Extension, `content_type` and content must agree.',
    refusals: ['SESSION_RELEASED', 'HANDOUT_IN_USE', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
    isKeyed: true,
    hasLocation: true,
    form: NewHandout,
    answer: HANDOUT,
  },
  'GET /sessions/{session_id}/handouts': {
    id: 'listHandouts',
    summary: 'List the Handouts of a Session in the order of presentation',
    answer: pageOf(HANDOUT),
  },
  'PATCH /handouts/{handout_id}': {
    id: 'patchHandout',
    summary: 'Change the place or the file of a Handout',
    refusals: ['SESSION_RELEASED', 'HANDOUT_IN_USE', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
    form: HandoutPatch,
    answer: { ...HANDOUT, sort: 2 },
  },
  'DELETE /handouts/{handout_id}': {
    id: 'deleteHandout',
    summary: 'Delete a Handout and its file',
    refusals: ['HANDOUT_IN_USE'],
  },
}
