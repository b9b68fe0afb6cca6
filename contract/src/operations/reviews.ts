import { listOf } from '../envelope.ts'
import { ReviewBody } from '../review.ts'
import { CommentBody, CommentPatch, CommentRequest, ViewerTokenRevocation } from '../reviews.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { CommentParams, ListQuery, RecordingParams } from './params.ts'
import { COMMENT, REVIEW } from './samples-of-reviews.ts'

export const getReview = operation({
  id: 'getReview',
  method: 'GET',
  path: '/review',
  plane: 'review',
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Get what a viewer token opens',
  description:
    'Returns who the viewer is, what they may do, and the recordings of the token. A page of yours calls it first; the review room does.',
  answers: { 200: ReviewBody },
  refusals: ['NOT_FOUND'],
  example: { answer: REVIEW },
})

export const listComments = operation({
  id: 'listComments',
  method: 'GET',
  path: '/recordings/{recording_id}/comments',
  plane: 'control',
  viewerMay: 'comment',
  tag: 'Extensions',
  summary: 'List the comments of a recording',
  description:
    'Returns what viewers said of the recording, oldest first. A viewer token that may `comment` works in place of the API key.',
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
    'Adds a comment by the person of the viewer token, on a place in the file or on all of it. Everybody who may comment on the recording reads it, and can answer it by `reply_to`. Comments are deleted together with the recording or its file.',
  params: RecordingParams,
  body: CommentRequest,
  answers: { 201: CommentBody },
  refusals: ['RECORDING_NOT_AVAILABLE', 'VALIDATION_ERROR', 'RATE_LIMIT_EXCEEDED'],
  isKeyed: true,
  example: {
    request: { text: 'She reads the label twice.', offset_sec: 600.5 },
    answer: COMMENT,
  },
})

export const updateComment = operation({
  id: 'updateComment',
  method: 'PATCH',
  path: '/recordings/{recording_id}/comments/{comment_id}',
  plane: 'review',
  viewerMay: 'comment',
  tag: 'Extensions',
  summary: 'Change a comment',
  description:
    'Changes the text or the place of a comment. Only its author can: for anybody else it is 404. The author is the `sub` of the viewer token. Everybody who may comment can change `is_resolved`.',
  params: CommentParams,
  body: CommentPatch,
  answers: { 200: CommentBody },
  refusals: ['RECORDING_NOT_AVAILABLE', 'VALIDATION_ERROR', 'RATE_LIMIT_EXCEEDED'],
  example: {
    request: { text: 'She reads the label three times.' },
    answer: {
      ...COMMENT,
      text: 'She reads the label three times.',
      updated_at: '2030-11-21T05:13:09.118Z',
    },
  },
})

export const deleteComment = operation({
  id: 'deleteComment',
  method: 'DELETE',
  path: '/recordings/{recording_id}/comments/{comment_id}',
  plane: 'control',
  viewerMay: 'comment',
  tag: 'Extensions',
  summary: 'Delete a comment',
  description:
    'Deletes a comment and its answers permanently. The API key deletes any; a viewer token that may `comment` deletes those of its `sub`, and any other is 404. A repeat returns 204.',
  params: CommentParams,
  answers: { 204: NOTHING },
})

export const revokeViewerToken = operation({
  id: 'revokeViewerToken',
  method: 'POST',
  path: '/viewer-tokens/revoke',
  plane: 'control',
  makesSafe: true,
  scope: 'manage',
  tag: 'Extensions',
  summary: 'Revoke a viewer token',
  description:
    'Ends every viewer token of this `jti` within a second. The service does not know which tokens you have signed, so it returns 204 for any `jti`; a repeat does, too. To end all tokens of a key, revoke the token key.',
  body: ViewerTokenRevocation,
  answers: { 204: NOTHING },
  example: { request: { jti: '3f6c9d0e-review-12' } },
})
