import { listOf } from '../envelope.ts'
import { CommentBody, CommentRequest, ViewerTokenRevocation } from '../reviews.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { ListQuery, RecordingParams } from './params.ts'
import { COMMENT } from './samples-of-reviews.ts'

export const listComments = operation({
  id: 'listComments',
  method: 'GET',
  path: '/recordings/{recording_id}/comments',
  plane: 'review',
  viewerMay: 'comment',
  tag: 'Extensions',
  summary: 'List the comments of a recording',
  description:
    'Returns what viewers said of the recording, oldest first. It takes a viewer token that may `comment`, and no API key: sign yourself a token to read them on your server.',
  params: RecordingParams,
  query: ListQuery,
  answers: { 200: listOf(CommentBody) },
  example: { answer: pageOf(COMMENT) },
})

export const createComment = operation({
  id: 'createComment',
  method: 'POST',
  path: '/recordings/{recording_id}/comments',
  plane: 'review',
  viewerMay: 'comment',
  tag: 'Extensions',
  summary: 'Comment on a recording',
  description:
    'Adds a comment by the person of the viewer token, on a place in the file or on all of it. Everybody who may comment on the recording reads it. Comments are deleted together with the recording or its file.',
  params: RecordingParams,
  body: CommentRequest,
  answers: { 201: CommentBody },
  refusals: ['RECORDING_NOT_AVAILABLE', 'VALIDATION_ERROR'],
  isKeyed: true,
  example: {
    request: { text: 'She reads the label twice.', offset_sec: 600.5 },
    answer: COMMENT,
  },
})

export const revokeViewerToken = operation({
  id: 'revokeViewerToken',
  method: 'POST',
  path: '/viewer-tokens/revoke',
  plane: 'control',
  scope: 'manage',
  tag: 'Extensions',
  summary: 'Revoke a viewer token',
  description:
    'Ends every viewer token of this `jti` within a second. The service does not know which tokens you have signed, so it returns 204 for any `jti`; a repeat does, too. To end all tokens of a key, revoke the token key.',
  body: ViewerTokenRevocation,
  answers: { 204: NOTHING },
  example: { request: { jti: '3f6c9d0e-review-12' } },
})
