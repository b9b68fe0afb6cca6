import { type Static, Type } from 'typebox'
import { DateTime, nullable, oneOf, text, Uuid, WITHOUT_NUL } from './envelope.ts'
import { DISPLAY_NAME_MAX } from './limits.ts'
import { ROLES, ROOM_KINDS, STREAM_FRAME_RATES, STREAM_RESOLUTIONS } from './vocabulary.ts'

/**
 * Body of `POST /rooms/{room_id}/live/entry`. With a participant token in the Authorization header
 * the body may be absent or carry `device` only; the simple route sends `access_token` and `name`.
 */
export const EntryRequest = Type.Object(
  {
    access_token: Type.Optional(text(128)),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: DISPLAY_NAME_MAX, pattern: WITHOUT_NUL }),
    ),
    device: Type.Optional(
      Type.Object(
        {
          browser_name: Type.Optional(text(64, 0)),
          browser_version: Type.Optional(text(64, 0)),
          platform_name: Type.Optional(text(64, 0)),
          platform_version: Type.Optional(text(64, 0)),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type EntryRequest = Static<typeof EntryRequest>

/** The media provider as the page needs it: where to connect (ws or wss), and a short-lived token. */
export const MediaAccess = Type.Object({ url: Type.String(), token: Type.String() })
export type MediaAccess = Static<typeof MediaAccess>

const Renamed = Type.Boolean({ deprecated: true, description: 'The name until 0.2.' })

/** What the role may do. `can_share_screen` is there only where it is true. */
export const CapabilitiesBody = Type.Object({
  is_visible: Type.Boolean(),
  can_publish_camera: Type.Boolean(),
  can_publish_microphone: Type.Boolean(),
  can_share_screen: Type.Optional(Type.Boolean()),
  can_close: Type.Boolean(),
  can_ban: Type.Boolean(),
  can_moderate: Type.Boolean(),
  can_list_handouts: Type.Boolean(),
  is_asked_for_consent: Type.Boolean(),
  isVisible: Renamed,
  canPublishCamera: Renamed,
  canPublishMicrophone: Renamed,
  canShareScreen: Type.Optional(Renamed),
  canClose: Renamed,
  canBan: Renamed,
  canModerate: Renamed,
  canListHandouts: Renamed,
  isAskedForConsent: Renamed,
})
export type CapabilitiesBody = Static<typeof CapabilitiesBody>

export const CONSENTS = ['given', 'declined'] as const
export type Consent = (typeof CONSENTS)[number]

/**
 * What declining the recording means: of `required`, not entering; of `optional`, that nothing is
 * recorded while this person is inside.
 */
export const RECORDING_CONSENTS = ['required', 'optional'] as const

/**
 * 201 answer of the gate. `participant.id` is null on the simple route. `closes_at`: end of the
 * window. `consent`: what this person answered last, null when not yet asked; on the simple route
 * every visit is asked. `room.is_recorded`: the room is recorded always, or right now.
 * `room.recording_consent`: `required` in rooms that are always recorded, `optional` where a
 * moderator decides.
 */
export const EntryBody = Type.Object({
  ticket: Type.String(),
  ticket_expires_at: DateTime,
  participant: Type.Object({
    id: nullable(Uuid),
    role: oneOf(ROLES),
    display_name: Type.String(),
  }),
  room: Type.Object({
    id: Uuid,
    kind: oneOf(ROOM_KINDS),
    stream_resolution: oneOf(STREAM_RESOLUTIONS),
    stream_frame_rate: Type.Unsafe<(typeof STREAM_FRAME_RATES)[number]>({
      type: 'integer',
      enum: [...STREAM_FRAME_RATES],
    }),
    is_recorded: Type.Boolean(),
    isRecorded: Renamed,
    recording_consent: oneOf(RECORDING_CONSENTS),
  }),
  session: nullable(
    Type.Object({ name: nullable(Type.String()), starts_at: DateTime, ends_at: DateTime }),
  ),
  media: MediaAccess,
  capabilities: CapabilitiesBody,
  closes_at: nullable(DateTime),
  consent: nullable(oneOf(CONSENTS)),
})
export type EntryBody = Static<typeof EntryBody>

/** Body of `POST .../live/ticket`; may be absent. */
export const TicketRequest = Type.Object(
  {
    is_connected: Type.Optional(
      Type.Boolean({
        description:
          'The media connection is up, so nobody need make sure of the media room. By default it is made sure of.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type TicketRequest = Static<typeof TicketRequest>

/** 201 answer of `POST .../live/ticket`. */
export const TicketBody = Type.Object({
  ticket: Type.String(),
  ticket_expires_at: DateTime,
  media: MediaAccess,
})
export type TicketBody = Static<typeof TicketBody>

/** `POST .../live/connected`: the browser's own report that its media connection is up. */
export const ConnectedRequest = Type.Object(
  { media_sid: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }) },
  { additionalProperties: false },
)
export type ConnectedRequest = Static<typeof ConnectedRequest>

/**
 * `details` of a refusal at the door carry nothing but codes; the page needs the time of opening,
 * so 422 OUTSIDE_TIME_WINDOW also sends these response headers (ISO 8601).
 */
export const WINDOW_OPENS_HEADER = 'x-window-opens-at'
export const WINDOW_CLOSES_HEADER = 'x-window-closes-at'
/** 409 SESSION_RELEASED says by it whether the session was `cancelled`, or its room `closed`. */
export const RELEASED_HEADER = 'x-session-released'

/**
 * `www-authenticate` of the 401 for a ticket whose holder has entered anew, in another tab or on
 * another device.
 */
export const OPENED_ELSEWHERE_CHALLENGE =
  'Bearer error="invalid_token", error_description="opened elsewhere"'
