import { listOf } from '../envelope.ts'
import {
  OpenedShareBody,
  ReviewLinkBody,
  ReviewLinkRequest,
  ShareBody,
  ShareOpening,
  ShareRequest,
} from '../shares.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { ListQuery, RecordingParams, ShareParams } from './params.ts'
import { CLIP, REVIEW_LINK, SHARE } from './samples-of-reviews.ts'
import { RECORDING, ROOM } from './samples.ts'

export const createReviewLink = operation({
  id: 'createReviewLink',
  method: 'POST',
  path: '/review-links',
  plane: 'control',
  tag: 'Extensions',
  summary: 'Create a link to the review room',
  description:
    'Returns an address that opens the review room of a recording, or of all recordings of a room, for one person. The service signs the token in it, so you need no key of your own. `POST /viewer-tokens/revoke` ends it.',
  body: ReviewLinkRequest,
  answers: { 201: ReviewLinkBody },
  refusals: ['NOT_FOUND', 'VALIDATION_ERROR'],
  example: {
    request: {
      room_id: ROOM.id,
      reference: 'researcher-12',
      name: 'Sato',
      may: ['watch', 'comment', 'clip'],
    },
    answer: REVIEW_LINK,
  },
})

export const listShares = operation({
  id: 'listShares',
  method: 'GET',
  path: '/recordings/{recording_id}/shares',
  plane: 'control',
  viewerMay: 'share',
  tag: 'Extensions',
  summary: 'List the links to a recording',
  description:
    'Returns the links to the recording, its clips and reels, oldest first, with how often each was opened. A viewer token that may `share` works in place of the API key.',
  params: RecordingParams,
  query: ListQuery,
  answers: { 200: listOf(ShareBody) },
  example: { answer: pageOf(SHARE) },
})

export const createShare = operation({
  id: 'createShare',
  method: 'POST',
  path: '/recordings/{recording_id}/shares',
  plane: 'control',
  viewerMay: 'share',
  tag: 'Extensions',
  summary: 'Share a recording, a clip or a reel',
  description:
    'Makes a link that anybody can open, with a password if you set one. To share a range, make a clip of it first. A viewer token that may `share` works in place of the API key: the link then allows no more than the token, and ends with it.',
  params: RecordingParams,
  body: ShareRequest,
  answers: { 201: ShareBody },
  refusals: ['RECORDING_NOT_AVAILABLE', 'VALIDATION_ERROR'],
  isKeyed: true,
  example: { request: { clip_id: CLIP.id, password: 'first reaction' }, answer: SHARE },
})

export const revokeShare = operation({
  id: 'revokeShare',
  method: 'DELETE',
  path: '/shares/{share_id}',
  plane: 'control',
  viewerMay: 'share',
  makesSafe: true,
  tag: 'Extensions',
  summary: 'Revoke a link',
  description:
    'Ends a link, and everything that was opened with it, within a second. It stays in the list. A repeat returns 204. A viewer token that may `share` works in place of the API key, also for the links of others.',
  params: ShareParams,
  answers: { 204: NOTHING },
})

export const openShare = operation({
  id: 'openShare',
  method: 'POST',
  path: '/shares/{share_id}/open',
  plane: 'review',
  takesShareLink: true,
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Open a link',
  description:
    'Exchanges the token of a link for a viewer token of half a day. The page of the link calls it. Each call counts as a view. A wrong password is 422 with the code `PASSWORD_WRONG`, a missing one `REQUIRED`.',
  params: ShareParams,
  body: ShareOpening,
  answers: { 200: OpenedShareBody },
  refusals: ['VALIDATION_ERROR', 'RATE_LIMIT_EXCEEDED'],
  example: {
    request: { password: 'first reaction' },
    answer: {
      recording_id: RECORDING.id,
      clip_id: CLIP.id,
      reel_id: null,
      token: 'eyJhbGciOi',
      expires_at: '2030-11-21T17:20:00.000Z',
    },
  },
})
