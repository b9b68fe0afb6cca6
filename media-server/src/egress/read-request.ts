import type {
  ParticipantEgressRequest,
  RoomCompositeEgressRequest,
  TrackCompositeEgressRequest,
} from '@livekit/protocol'
import { TwirpError } from '../api/twirp.ts'
import { encodingOf } from './encoding.ts'
import type { EgressJob, Output } from './job.ts'

/** A request with the field that names it in an egress info. */
export type EgressRequest =
  | { case: 'roomComposite'; value: RoomCompositeEgressRequest }
  | { case: 'participant'; value: ParticipantEgressRequest }
  | { case: 'trackComposite'; value: TrackCompositeEgressRequest }

/** Reads a request as a job. Throws invalid_argument. */
export function readRequest(request: EgressRequest, output: Output): EgressJob {
  if (request.case === 'roomComposite') return { ...roomComposite(request.value), output }
  if (request.case === 'participant') return { ...participant(request.value), output }
  return { ...trackComposite(request.value), output }
}

function roomComposite(request: RoomCompositeEgressRequest): Omit<EgressJob, 'output'> {
  const { audioOnly, videoOnly, layout, options, customBaseUrl } = request
  if (audioOnly && videoOnly) throw invalid('audio_only and video_only')
  if (customBaseUrl !== '') throw invalid('custom_base_url: templates are not supported')
  const [hasSound, hasPicture] = [!videoOnly, !audioOnly]
  const encoding = encodingOf(options, { hasOwnSize: false })
  return {
    selection: { of: 'room', hasSound, hasPicture },
    plan: { layout, isFill: false, hasSound, hasPicture, encoding },
  }
}

function participant(request: ParticipantEgressRequest): Omit<EgressJob, 'output'> {
  const { identity, screenShare, options } = request
  if (identity === '') throw invalid('identity')
  const encoding = encodingOf(options, { hasOwnSize: true })
  return {
    selection: { of: 'participant', identity, isScreen: screenShare },
    plan: { layout: '', isFill: true, hasSound: true, hasPicture: true, encoding },
  }
}

function trackComposite(request: TrackCompositeEgressRequest): Omit<EgressJob, 'output'> {
  const { audioTrackId, videoTrackId, options } = request
  const sids = [audioTrackId, videoTrackId].filter((sid) => sid !== '')
  if (sids.length === 0) throw invalid('audio_track_id or video_track_id')
  const [hasSound, hasPicture] = [audioTrackId !== '', videoTrackId !== '']
  const encoding = encodingOf(options, { hasOwnSize: true })
  return {
    selection: { of: 'tracks', sids },
    plan: { layout: '', isFill: true, hasSound, hasPicture, encoding },
  }
}

function invalid(field: string): TwirpError {
  return new TwirpError('invalid_argument', `request has missing or invalid field: ${field}`)
}
