import type { ClipBody } from '../clips.ts'
import type { CommentBody } from '../reviews.ts'
import { RECORDING } from './samples.ts'

export const COMMENT: CommentBody = {
  id: '019a30d2-7a41-7c55-9f0e-2b6a1f9d3c80',
  recording_id: RECORDING.id,
  viewer: { reference: 'researcher-12', name: 'Sato' },
  offset_sec: 600.5,
  text: 'She reads the label twice.',
  created_at: '2030-11-21T05:12:40.207Z',
  updated_at: null,
}

export const CLIP: ClipBody = {
  id: '019a30d5-40b2-7e13-8c6a-5f1d2b7e9a04',
  recording_id: RECORDING.id,
  title: 'First look at the label',
  start_sec: 590,
  end_sec: 640.5,
  viewer: COMMENT.viewer,
  status: 'pending',
  size: null,
  duration_sec: null,
  failure_reason: null,
  created_at: '2030-11-21T05:14:02.915Z',
  updated_at: '2030-11-21T05:14:02.915Z',
}
