import type { CommentBody } from '../reviews.ts'
import { RECORDING } from './samples.ts'

export const COMMENT: CommentBody = {
  id: '019a30d2-7a41-7c55-9f0e-2b6a1f9d3c80',
  recording_id: RECORDING.id,
  viewer: { reference: 'researcher-12', name: 'Sato' },
  offset_sec: 600.5,
  text: 'She reads the label twice.',
  created_at: '2030-11-21T05:12:40.207Z',
}
