import { listOf } from '../envelope.ts'
import { HandoutBody, HandoutPatch, HandoutRequest } from '../handouts.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { HandoutParams, ListQuery, SessionParams } from './params.ts'
import { HANDOUT } from './samples.ts'

export const registerHandout = operation({
  id: 'registerHandout',
  method: 'POST',
  path: '/sessions/{session_id}/handouts',
  plane: 'control',
  tag: 'Handouts',
  summary: 'Register a handout',
  description:
    'Uploads an image or a video that a moderator can show in the room. Send it as a multipart form, before or during the interview. Extension, `content_type` and content must agree. The same external reference replaces the file and keeps the id. It does not show the handout to anyone.',
  params: SessionParams,
  answers: { 201: HandoutBody },
  form: HandoutRequest,
  refusals: [
    'SESSION_RELEASED',
    'HANDOUT_IN_USE',
    'FILE_TOO_LARGE',
    'UNSUPPORTED_FILE_TYPE',
    'VALIDATION_ERROR',
  ],
  isLong: true,
  isKeyed: true,
  hasLocation: true,
  example: {
    parts: {
      file: HANDOUT.file_name,
      content_type: HANDOUT.content_type,
      sort: HANDOUT.sort,
      title: HANDOUT.title,
      external_type: HANDOUT.external_type,
      external_id: HANDOUT.external_id,
    },
    answer: HANDOUT,
  },
})

export const listHandouts = operation({
  id: 'listHandouts',
  method: 'GET',
  path: '/sessions/{session_id}/handouts',
  plane: 'control',
  tag: 'Handouts',
  summary: 'List the handouts of a session',
  description:
    'Returns the handouts in the order of `sort`. Each has a signed URL of its file. Which handout is being shown is in the room events.',
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
  summary: 'Change a handout',
  description:
    'Changes the position, the title, the kind or the file. Send a multipart form with only the parts to change. The file cannot be replaced while the handout is being shown; its position and title can. Nothing can change once the session is cancelled or its room closed.',
  params: HandoutParams,
  answers: { 200: HandoutBody },
  form: HandoutPatch,
  refusals: ['SESSION_RELEASED', 'HANDOUT_IN_USE', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
  isLong: true,
  example: {
    parts: { sort: 2, title: 'Package, back' },
    answer: { ...HANDOUT, sort: 2, title: 'Package, back' },
  },
})

export const deleteHandout = operation({
  id: 'deleteHandout',
  method: 'DELETE',
  path: '/handouts/{handout_id}',
  plane: 'control',
  tag: 'Handouts',
  summary: 'Delete a handout',
  description:
    'Deletes the handout and its file. It is refused while the handout is being shown. A repeat returns 204.',
  params: HandoutParams,
  answers: { 204: NOTHING },
  refusals: ['HANDOUT_IN_USE'],
})
