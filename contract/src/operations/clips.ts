import { ClipBody, ClipRequest } from '../clips.ts'
import { listOf } from '../envelope.ts'
import { DownloadUrlQuery, SignedUrlBody } from '../recordings.ts'
import { PlaybackBody } from '../review.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { ClipParams, ListQuery, RecordingParams } from './params.ts'
import { CLIP, PLAYBACK } from './samples-of-reviews.ts'
import { DOWNLOAD_URL } from './samples.ts'

export const listClips = operation({
  id: 'listClips',
  method: 'GET',
  path: '/recordings/{recording_id}/clips',
  plane: 'control',
  viewerMay: 'clip',
  tag: 'Extensions',
  summary: 'List the clips of a recording',
  description:
    'Returns the clips of the recording, oldest first, of all who made some. The files have URLs of their own. A viewer token that may `clip` works in place of the API key.',
  params: RecordingParams,
  query: ListQuery,
  answers: { 200: listOf(ClipBody) },
  example: { answer: pageOf(CLIP) },
})

export const createClip = operation({
  id: 'createClip',
  method: 'POST',
  path: '/recordings/{recording_id}/clips',
  plane: 'control',
  viewerMay: 'clip',
  tag: 'Extensions',
  summary: 'Create a clip',
  description:
    'Cuts a range from the recording, exact to the picture, into a file of its own. The recording stays as it is, and may have many clips. The webhook `clip.status_changed` reports the end. A viewer token that may `clip` works in place of the API key.',
  params: RecordingParams,
  body: ClipRequest,
  answers: { 201: ClipBody },
  refusals: ['RECORDING_NOT_AVAILABLE', 'VALIDATION_ERROR'],
  isKeyed: true,
  hasLocation: true,
  example: {
    request: { start_sec: 590, end_sec: 640.5, title: 'First look at the label' },
    answer: CLIP,
  },
})

export const getClip = operation({
  id: 'getClip',
  method: 'GET',
  path: '/clips/{clip_id}',
  plane: 'control',
  viewerMay: 'clip',
  tag: 'Extensions',
  summary: 'Get a clip',
  description:
    'Returns the status of a clip. Use it to check progress if you missed the webhook. A viewer token that may `clip` works in place of the API key.',
  params: ClipParams,
  answers: { 200: ClipBody },
  example: {
    answer: {
      ...CLIP,
      status: 'available',
      size: 18_204_311,
      duration_sec: 50.5,
      updated_at: '2030-11-21T05:14:31.448Z',
    },
  },
})

export const getClipDownloadUrl = operation({
  id: 'getClipDownloadUrl',
  method: 'GET',
  path: '/clips/{clip_id}/download-url',
  plane: 'control',
  viewerMay: 'clip',
  tag: 'Extensions',
  summary: 'Create a download URL of a clip',
  description:
    'Returns a signed URL of the file. It works without a credential until it expires. The service logs each URL it issues. A viewer token that may `clip` works in place of the API key.',
  params: ClipParams,
  query: DownloadUrlQuery,
  answers: { 200: SignedUrlBody },
  hasNoHead: true,
  refusals: ['CLIP_NOT_AVAILABLE'],
  example: {
    answer: DOWNLOAD_URL,
  },
})

export const getClipPlayback = operation({
  id: 'getClipPlayback',
  method: 'GET',
  path: '/clips/{clip_id}/playback',
  plane: 'control',
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Create an address of a clip for a player',
  description:
    'Returns a signed address of the clip that a `<video>` element plays, for five minutes at most. The access log notes each of them. A viewer token that may `watch` works in place of the API key.',
  params: ClipParams,
  answers: { 200: PlaybackBody },
  hasNoHead: true,
  refusals: ['CLIP_NOT_AVAILABLE'],
  example: { answer: { ...PLAYBACK, size: 18_204_311, duration_sec: 50.5 } },
})

export const deleteClip = operation({
  id: 'deleteClip',
  method: 'DELETE',
  path: '/clips/{clip_id}',
  plane: 'control',
  viewerMay: 'clip',
  tag: 'Extensions',
  summary: 'Delete a clip',
  description:
    'Deletes the clip and its file; one that is still being made is cancelled. The recording stays. A repeat returns 204. A viewer token that may `clip` works in place of the API key, also for the clips of others.',
  params: ClipParams,
  answers: { 204: NOTHING },
})
