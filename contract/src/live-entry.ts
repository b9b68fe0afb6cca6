import { type Static, Type } from 'typebox'
import { CLOSES_AT, EntrySession, ObservationConsent, RecordingConsent } from './admission-check.ts'
import { BrandingBody } from './branding.ts'
import { Consents, ConsentTexts } from './consent.ts'
import { Role, RoomKind, StreamFrameRate, StreamResolution } from './enums.ts'
import {
  about,
  boolean,
  DateTime,
  dateTime,
  named,
  nullable,
  string,
  text,
  Uuid,
  uuid,
  WITHOUT_NUL,
} from './envelope.ts'
import { DISPLAY_NAME_MAX } from './limits.ts'
import { wordsOf } from './schema.ts'

const device = (what: string) => Type.Optional(about(text(64, 0), `${what}.`))

/**
 * Body of `POST /rooms/{room_id}/live/entry`. With a participant token in the Authorization header, the body may be
 * absent or contain only `device`. The simple route sends `access_token` and `name`.
 */
export const EntryRequest = named(
  'EntryRequest',
  Type.Object(
    {
      access_token: Type.Optional(
        about(text(128), 'Simple route only: `access_token` of the session.'),
      ),
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: DISPLAY_NAME_MAX,
          pattern: WITHOUT_NUL,
          description:
            'Simple route only: name of the person, without control characters. Required with `access_token`.',
        }),
      ),
      device: Type.Optional(
        named(
          'EntryDevice',
          Type.Object(
            {
              browser_name: device('Name of the browser'),
              browser_version: device('Version of the browser'),
              platform_name: device('Name of the operating system'),
              platform_version: device('Version of the operating system'),
            },
            {
              additionalProperties: false,
              description: 'The device. By default the service reads it from `User-Agent`.',
            },
          ),
        ),
      ),
    },
    { additionalProperties: false, description: 'Who enters, on the simple route, and with what.' },
  ),
)
export type EntryRequest = Static<typeof EntryRequest>

/** Access to the media provider for the page: the address to connect to (ws or wss), and a short-lived token. */
export const MediaAccess = named(
  'MediaAccess',
  Type.Object(
    {
      url: string('WebSocket address of the media server.'),
      token: string('Media token (LiveKit access token). Valid for at most 10 minutes.'),
    },
    { description: 'How to connect to the media server.' },
  ),
)
export type MediaAccess = Static<typeof MediaAccess>

/** The permissions of the role. `can_share_screen` is present only if it is true. */
export const CapabilitiesBody = named(
  'Capabilities',
  Type.Object(
    {
      is_visible: boolean('Others see and hear this person.'),
      can_publish_camera: boolean('May send video of the camera.'),
      can_publish_microphone: boolean('May send audio of the microphone.'),
      can_share_screen: Type.Optional(boolean('May share the screen. Absent when not.')),
      can_close: boolean('May close the room.'),
      can_ban: boolean('May ban others.'),
      can_moderate: boolean('May show handouts, mute others and control the recording.'),
      can_list_handouts: boolean('May list all handouts.'),
      is_asked_for_consent: boolean('Is asked for consent to the recording.'),
    },
    { description: 'What the role may do in the room.' },
  ),
)
export type CapabilitiesBody = Static<typeof CapabilitiesBody>

export const CONSENTS = ['given', 'declined'] as const
export type Consent = (typeof CONSENTS)[number]

const ConsentAnswer = wordsOf('Consent', CONSENTS, {
  about: 'An answer about the recording.',
  given: 'The person agrees to be recorded.',
  declined: 'The person does not agree.',
})

export const ReturnUrl = nullable(
  Type.String(),
  'Where the person may go after the interview (https). Panelists and staff have one each. Null when the tenant has set none.',
)

/**
 * 201 answer of an entry. `participant.id` is null on the simple route. `closes_at` is the end of the window.
 * `consent` is the last answer of this person, null before the first one; the simple route asks at every visit.
 * `room.is_recorded`: the room is always recorded, or a recording runs now. `room.recording_consent` is `required` in
 * rooms that are always recorded, and `optional` if a moderator decides.
 */
export const EntryBody = named(
  'Entry',
  Type.Object(
    {
      ticket: string('Room ticket. Send it as `Authorization: Bearer` from now on.'),
      ticket_expires_at: dateTime('When the room ticket expires. Renew it before.'),
      participant: named(
        'EntryParticipant',
        Type.Object(
          {
            id: nullable(Uuid, 'Id of the participant. Null on the simple route.'),
            role: Role,
            display_name: string('Name of the person.'),
          },
          { description: 'Who entered.' },
        ),
      ),
      room: named(
        'EntryRoom',
        Type.Object(
          {
            id: uuid('Id of the room.'),
            kind: RoomKind,
            stream_resolution: StreamResolution,
            stream_frame_rate: StreamFrameRate,
            is_recorded: boolean('Whether the room is always recorded, or is being recorded now.'),
            recording_consent: RecordingConsent,
            observation_consent: ObservationConsent,
          },
          { description: 'The room.' },
        ),
      ),
      session: nullable(EntrySession, 'The slot. Null when the room has no session.'),
      media: MediaAccess,
      capabilities: CapabilitiesBody,
      closes_at: nullable(DateTime, CLOSES_AT),
      consents: about(Consents, 'The consent of this person, by purpose.'),
      consent_texts: ConsentTexts,
      branding: Type.Optional(BrandingBody),
      return_url: ReturnUrl,
      consent: nullable(
        ConsentAnswer,
        'Last answer of this person about the recording. Null when the person has not been asked.',
      ),
    },
    { description: 'An admission to a room.' },
  ),
)
export type EntryBody = Static<typeof EntryBody>

/** Body of `POST .../live/ticket`; may be absent. */
export const TicketRequest = named(
  'TicketRequest',
  Type.Object(
    {
      is_connected: Type.Optional(
        about(
          Type.Boolean(),
          'Whether the media connection is up. When false, the service first makes sure that the media room exists; when absent, only if it knows of nobody in the room.',
        ),
      ),
    },
    { additionalProperties: false, description: 'State of the media connection.' },
  ),
)
export type TicketRequest = Static<typeof TicketRequest>

/** 201 answer of `POST .../live/ticket`. */
export const TicketBody = named(
  'Ticket',
  Type.Object(
    {
      ticket: string('The new room ticket.'),
      ticket_expires_at: dateTime('When the room ticket expires.'),
      media: MediaAccess,
    },
    { description: 'A room ticket with a media token.' },
  ),
)
export type TicketBody = Static<typeof TicketBody>

/** LiveKit's format of the id. */
export const MEDIA_SID = '^[A-Za-z0-9_-]+$'

/** `POST .../live/connected`: the browser's own report that its media connection is up. */
export const ConnectedRequest = named(
  'ConnectedRequest',
  Type.Object(
    {
      media_sid: Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: MEDIA_SID,
        description: 'Id of the media connection (LiveKit participant sid), such as `PA_mT5x2Jwq`.',
      }),
    },
    { additionalProperties: false, description: 'The media connection that is up.' },
  ),
)
export type ConnectedRequest = Static<typeof ConnectedRequest>

/**
 * The `details` of a refused entry contain only codes, but the page needs the time of opening. So 422
 * OUTSIDE_TIME_WINDOW also sends these response headers (ISO 8601).
 */
export const WINDOW_OPENS_HEADER = 'x-window-opens-at'
export const WINDOW_CLOSES_HEADER = 'x-window-closes-at'
/** 409 SESSION_RELEASED states in this header if the session was `cancelled` or its room was `closed`. */
export const RELEASED_HEADER = 'x-session-released'

/** `www-authenticate` of the 401 for a ticket whose holder has entered again, in another tab or on another device. */
export const OPENED_ELSEWHERE_CHALLENGE =
  'Bearer error="invalid_token", error_description="opened elsewhere"'

/** `www-authenticate` of the 401 for a ticket whose holder was removed from the room by a moderator. */
export const REMOVED_CHALLENGE =
  'Bearer error="invalid_token", error_description="removed from the room"'
