import { listOf } from '../envelope.ts'
import { DownloadUrlQuery, SignedUrlBody } from '../recordings.ts'
import { ReelBody, ReelRequest } from '../reels.ts'
import { PlaybackBody } from '../review.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { ListQuery, ReelParams, RoomParams } from './params.ts'
import { CLIP, PLAYBACK, REEL } from './samples-of-reviews.ts'
import { DOWNLOAD_URL } from './samples.ts'

export const listReels = operation({
  id: 'listReels',
  method: 'GET',
  path: '/rooms/{room_id}/reels',
  plane: 'control',
  viewerMay: 'clip',
  tag: 'Extensions',
  summary: 'List the reels of a room',
  description:
    'Returns the reels of the room, oldest first, of all who made some. A viewer token that may `clip` works in place of the API key; one for a recording gets the reels that show nothing else.',
  params: RoomParams,
  query: ListQuery,
  answers: { 200: listOf(ReelBody) },
  example: { answer: pageOf(REEL) },
})

export const createReel = operation({
  id: 'createReel',
  method: 'POST',
  path: '/rooms/{room_id}/reels',
  plane: 'control',
  viewerMay: 'clip',
  tag: 'Extensions',
  summary: 'Create a reel',
  description:
    'Puts clips of the room one after the other into one file, with a title card and captions if you want. It shows what the recordings show, and keeps its file when a clip is deleted. The webhook `reel.status_changed` reports the end. A viewer token that may `clip` works in place of the API key.',
  params: RoomParams,
  body: ReelRequest,
  answers: { 201: ReelBody },
  refusals: ['CLIP_NOT_AVAILABLE', 'VALIDATION_ERROR'],
  isKeyed: true,
  hasLocation: true,
  example: { request: { clip_ids: [CLIP.id], title: 'First looks' }, answer: REEL },
})

export const getReel = operation({
  id: 'getReel',
  method: 'GET',
  path: '/reels/{reel_id}',
  plane: 'control',
  viewerMay: 'clip',
  tag: 'Extensions',
  summary: 'Get a reel',
  description:
    'Returns the status of a reel. A viewer token that may `clip` works in place of the API key.',
  params: ReelParams,
  answers: { 200: ReelBody },
  example: {
    answer: {
      ...REEL,
      status: 'available',
      progress_percent: null,
      size: 18_204_311,
      duration_sec: 53.5,
      updated_at: '2030-11-21T05:31:31.448Z',
    },
  },
})

export const getReelDownloadUrl = operation({
  id: 'getReelDownloadUrl',
  method: 'GET',
  path: '/reels/{reel_id}/download-url',
  plane: 'control',
  viewerMay: 'download',
  tag: 'Extensions',
  summary: 'Create a download URL of a reel',
  description:
    'Returns a signed URL of the file. It works without a credential until it expires. The service logs each URL it issues. A viewer token that may `download` works in place of the API key.',
  params: ReelParams,
  query: DownloadUrlQuery,
  answers: { 200: SignedUrlBody },
  hasNoHead: true,
  refusals: ['CLIP_NOT_AVAILABLE'],
  example: { answer: DOWNLOAD_URL },
})

export const getReelPlayback = operation({
  id: 'getReelPlayback',
  method: 'GET',
  path: '/reels/{reel_id}/playback',
  plane: 'control',
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Create an address of a reel for a player',
  description:
    'Returns a signed address of the reel that a `<video>` element plays, for five minutes at most. The access log notes each of them. A viewer token that may `watch` works in place of the API key.',
  params: ReelParams,
  answers: { 200: PlaybackBody },
  hasNoHead: true,
  refusals: ['CLIP_NOT_AVAILABLE'],
  example: { answer: { ...PLAYBACK, size: 18_204_311, duration_sec: 53.5 } },
})

export const deleteReel = operation({
  id: 'deleteReel',
  method: 'DELETE',
  path: '/reels/{reel_id}',
  plane: 'control',
  viewerMay: 'clip',
  tag: 'Extensions',
  summary: 'Delete a reel',
  description:
    'Deletes the reel and its file; one that is still being made is cancelled. The clips stay. A repeat returns 204. A viewer token that may `clip` works in place of the API key, also for the reels of others.',
  params: ReelParams,
  answers: { 204: NOTHING },
})
