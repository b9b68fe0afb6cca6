import { listOf } from '../envelope.ts'
import { HandoutBody, HandoutPatch, NewHandout } from '../handouts.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { HandoutParams, ListQuery, SessionParams } from './params.ts'
import { HANDOUT } from './samples.ts'

export const registerHandout = operation({
  id: 'registerHandout',
  method: 'POST',
  path: '/sessions/{session_id}/handouts',
  plane: 'control',
  tag: 'Handouts',
  summary: 'Register a Handout',
  description:
    'Registering an external reference again replaces the file and keeps the id. Extension, `content_type` and content must agree.',
  params: SessionParams,
  answers: { 201: HandoutBody },
  form: NewHandout,
  refusals: ['SESSION_RELEASED', 'HANDOUT_IN_USE', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
  isKeyed: true,
  hasLocation: true,
  example: {
    answer: HANDOUT,
  },
})

export const listHandouts = operation({
  id: 'listHandouts',
  method: 'GET',
  path: '/sessions/{session_id}/handouts',
  plane: 'control',
  tag: 'Handouts',
  summary: 'List the Handouts of a Session in the order of presentation',
  params: SessionParams,
  query: ListQuery,
  answers: { 200: listOf(HandoutBody) },
  example: {
    answer: pageOf(HANDOUT),
  },
})

export const patchHandout = operation({
  id: 'patchHandout',
  method: 'PATCH',
  path: '/handouts/{handout_id}',
  plane: 'control',
  tag: 'Handouts',
  summary: 'Change the place or the file of a Handout',
  params: HandoutParams,
  answers: { 200: HandoutBody },
  form: HandoutPatch,
  refusals: ['SESSION_RELEASED', 'HANDOUT_IN_USE', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
  example: {
    answer: { ...HANDOUT, sort: 2 },
  },
})

export const deleteHandout = operation({
  id: 'deleteHandout',
  method: 'DELETE',
  path: '/handouts/{handout_id}',
  plane: 'control',
  tag: 'Handouts',
  summary: 'Delete a Handout and its file',
  params: HandoutParams,
  answers: { 204: NOTHING },
  refusals: ['HANDOUT_IN_USE'],
})
