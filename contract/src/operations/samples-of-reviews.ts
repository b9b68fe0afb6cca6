import type { ClipBody } from '../clips.ts'
import type { ReelBody } from '../reels.ts'
import type { PlaybackBody, RecordingActivityBody, ReviewBody } from '../review.ts'
import type { CommentBody } from '../reviews.ts'
import type { ReviewLinkBody, ShareBody } from '../shares.ts'
import { PARTICIPANT, RECORDING, ROOM, SESSION } from './samples.ts'

export const COMMENT: CommentBody = {
  id: '019a30d2-7a41-7c55-9f0e-2b6a1f9d3c80',
  recording_id: RECORDING.id,
  viewer: { reference: 'researcher-12', name: 'Sato' },
  offset_sec: 600.5,
  end_sec: null,
  reply_to: null,
  text: 'She reads the label twice.',
  is_resolved: false,
  created_at: '2030-11-21T05:12:40.207Z',
  updated_at: null,
}

export const CLIP: ClipBody = {
  id: '019a30d5-40b2-7e13-8c6a-5f1d2b7e9a04',
  recording_id: RECORDING.id,
  title: 'First look at the label',
  tags: ['label'],
  start_sec: 590,
  end_sec: 640.5,
  viewer: COMMENT.viewer,
  status: 'pending',
  progress_percent: null,
  size: null,
  duration_sec: null,
  failure_reason: null,
  created_at: '2030-11-21T05:14:02.915Z',
  updated_at: '2030-11-21T05:14:02.915Z',
}

export const REEL: ReelBody = {
  id: '019a30e6-1c8d-7a64-b0f3-6d2e9a7c4b18',
  room_id: ROOM.id,
  recording_ids: [RECORDING.id],
  clip_ids: [CLIP.id],
  title: 'First looks',
  title_card: null,
  captions: 'none',
  viewer: COMMENT.viewer,
  status: 'pending',
  progress_percent: null,
  size: null,
  duration_sec: null,
  failure_reason: null,
  created_at: '2030-11-21T05:30:40.102Z',
  updated_at: '2030-11-21T05:30:40.102Z',
}

export const PLAYBACK: PlaybackBody = {
  url: 'https://storage.example.com/recordings/019a3083?signature=9c1d',
  expires_at: '2030-11-21T05:05:00.000Z',
  mime: 'video/mp4',
  size: 184_320_512,
  duration_sec: 3604.52,
}

export const REVIEW: ReviewBody = {
  viewer: COMMENT.viewer,
  may: ['watch', 'comment', 'clip'],
  expires_at: '2030-11-28T05:00:00.000Z',
  room_id: ROOM.id,
  session: { name: SESSION.name, starts_at: SESSION.starts_at, ends_at: SESSION.ends_at },
  recordings: [
    {
      id: RECORDING.id,
      status: 'available',
      output_mode: 'composed',
      started_at: RECORDING.created_at,
      duration_sec: 3604.52,
      estimated_available_at: null,
      processed: null,
    },
  ],
  clip: null,
  reel: null,
  watermark: null,
  transcription_languages: ['ja-JP', 'en-US'],
  branding: { name: 'Coffee Research', logo_url: null, palette: null, help_contact: null },
}

export const ACTIVITY: RecordingActivityBody = {
  recording_id: RECORDING.id,
  people: [
    {
      participant_id: PARTICIPANT.id,
      role: 'panelist',
      display_name: PARTICIPANT.display_name,
      speech: [{ start_sec: 2.5, end_sec: 9 }],
      levels: [0, 4, 88, 91, 90],
    },
  ],
}

export const REVIEW_LINK: ReviewLinkBody = {
  url: `https://interviews.example.com/v/rooms/${ROOM.id}#token=eyJhbGciOi`,
  token: 'eyJhbGciOi',
  jti: '019a30f1-0a3c-7b55-8d11-3f0d5e2c7a90',
  expires_at: '2030-11-28T05:00:00.000Z',
}

const SHARE_ID = '019a30f4-51d7-7f20-9a36-8e4b1c6d2f05'

export const SHARE: ShareBody = {
  id: SHARE_ID,
  recording_id: RECORDING.id,
  clip_id: CLIP.id,
  reel_id: null,
  url: `https://interviews.example.com/s/${SHARE_ID}#token=eyJhbGciOi`,
  may: ['watch'],
  has_password: true,
  viewer: COMMENT.viewer,
  views: 0,
  last_viewed_at: null,
  created_at: '2030-11-21T05:20:00.000Z',
  expires_at: '2030-11-28T05:00:00.000Z',
  revoked_at: null,
}
