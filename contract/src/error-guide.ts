import type { DetailCode, ErrorCode } from './errors.ts'

/** The section about one code on the page of errors. */
export interface ErrorGuide {
  meaning: string
  /** The usual causes. */
  causes: readonly string[]
  /** The caller's next step. */
  remedy: string
}

const RETRY = 'Try again after the time in `Retry-After`, with the same Idempotency-Key.'

/** Every code needs a section; a missing one does not compile. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, ErrorGuide>> = {
  INVALID_REQUEST: {
    meaning: 'A body, query, header or form does not match the API description.',
    causes: [
      'A required member is missing, or a member has the wrong type, such as a number sent as text.',
      'A member is unknown, often because of a typing error.',
      'Only one of `external_type` and `external_id` is present.',
      'A cursor is not from this list, these filters or your tenant.',
    ],
    remedy:
      'Read `details`: each entry names a field and what is allowed. Correct the request; repeating it unchanged fails again.',
  },
  INVALID_JSON: {
    meaning: 'The body cannot be read as JSON.',
    causes: [
      'The body is empty or incomplete, or is not UTF-8.',
      'An object has the same key twice.',
      'A text has a NUL character or half of a surrogate pair.',
      'A number is beyond 2^53 - 1, such as a 64-bit id. Send it as text.',
    ],
    remedy:
      'Read `details`. Build the body with a JSON library and send it with `Content-Type: application/json`.',
  },
  UNKNOWN_ROLE: {
    meaning: 'The participant token is valid, but its `role` does not exist.',
    causes: ['A typing error, or a role name of your own system that was passed on unchanged.'],
    remedy: 'Sign a token with `moderator`, `panelist`, `observer` or `platform_observer`.',
  },
  UNAUTHORIZED: {
    meaning:
      'The credential is missing, malformed, unknown, revoked or expired. The response does not say which.',
    causes: [
      'The header `Authorization` is missing or has the wrong scheme: `ApiKey` for your backend, `Bearer` for pages.',
      'The API key was revoked after a rotation, or has expired.',
      'The API key lacks the scope of the operation: `manage` for management, `control` for everything else.',
      'A participant token is expired, is for another room, or is signed with a key that is not registered.',
      'A viewer token is expired or revoked, or does not allow the operation in `may`.',
      'A room ticket ended because the person entered on another page. `WWW-Authenticate` then has `error_description="opened elsewhere"`.',
    ],
    remedy:
      'Check the header first, then the key. The operator sees the reason in the log under the `X-Request-Id` of the response.',
  },
  NOT_FOUND: {
    meaning: 'There is no such resource or address, or the resource belongs to another tenant.',
    causes: [
      'The id is wrong, malformed, or from another environment.',
      'The resource was deleted.',
      'The API key belongs to another tenant.',
    ],
    remedy:
      'Check the id and the API key. The service never says that a resource of another tenant exists.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The address exists, but not with this method.',
    causes: ['PUT instead of PATCH, or POST instead of GET.'],
    remedy: 'Use one of the methods in the header `Allow`.',
  },
  DUPLICATE_EXTERNAL_REF: {
    meaning: 'You already have a session with this `external_type` and `external_id`.',
    causes: [
      'The same record was booked twice.',
      'A booking was repeated without an Idempotency-Key after a timeout, although it had succeeded.',
      'The session was cancelled. Its reference stays in use.',
    ],
    remedy:
      'Use the session that `details` names, or book with another reference. Send an Idempotency-Key to make retries safe.',
  },
  SESSION_ALREADY_STARTED: {
    meaning: 'The slot cannot move, because someone has entered the room.',
    causes: ['`starts_at` or `ends_at` was changed after the first entry.'],
    remedy:
      'Leave the slot as it is. You may still change the name. Book a new room for another time.',
  },
  SESSION_RELEASED: {
    meaning: 'The session is cancelled, or its room is closed. This is permanent.',
    causes: [
      'Someone cancelled the session or closed the room before.',
      'A person opens an old link.',
    ],
    remedy:
      'Book a new room. On the participant plane, the header `x-session-released` says whether the session was `cancelled` or the room `closed`.',
  },
  PARTICIPANT_BANNED: {
    meaning: 'The person is banned from this room, in every role.',
    causes: ['Your backend, a moderator or an operator banned the person.'],
    remedy: 'A ban cannot be lifted. The room event `participant.banned` has the reason.',
  },
  RECORDING_NOT_AVAILABLE: {
    meaning: 'The recording is not in a state in which this is possible.',
    causes: [
      'The recording is still running, or its file is not ready yet.',
      'The recording has failed or expired, so there is no file.',
      'A recording that is started or paused cannot be deleted.',
      'From inside a room: no recording is running that could be paused or resumed.',
    ],
    remedy:
      'Wait for the webhook `recording.status_changed` with `available`, or read `status`. Stop a recording before you delete it.',
  },
  PROCESSED_RECORDING_NOT_AVAILABLE: {
    meaning: 'The processed recording is not in a state in which this is possible.',
    causes: [
      'A download URL was requested before the status is `available`.',
      'It was deleted while the trim is processing.',
      '`complete` was called for a trim, or a second time.',
    ],
    remedy: 'Read `status` and wait for the webhook `processed_recording.status_changed`.',
  },
  CLIP_NOT_AVAILABLE: {
    meaning: 'The clip or the reel has no file that you may have.',
    causes: ['It is being made, or failed.', 'It lacks the `watermark` of the viewer.'],
    remedy: 'Read `status` and wait for `clip.status_changed` or `reel.status_changed`.',
  },
  PROCESSED_RECORDING_ALREADY_EXISTS: {
    meaning: 'A recording has at most one processed recording, and this one has it.',
    causes: ['A trim or an upload was started before, also if it failed.'],
    remedy: 'Delete the processed recording, then create the new one.',
  },
  UPLOAD_NOT_FOUND: {
    meaning: 'The uploaded file is not there, or is still being written.',
    causes: [
      'The PUT to `upload.url` failed or has not finished.',
      'The uploaded file has 0 bytes.',
      'The upload URL had expired.',
      'From inside a room: `attachment_id` is not an unused upload of the sender.',
    ],
    remedy: 'Wait for the successful response of the PUT, then repeat the request.',
  },
  HANDOUT_IN_USE: {
    meaning: 'The handout is being shown in the room, so its file cannot change or be deleted.',
    causes: ['A moderator is showing the handout at this moment.'],
    remedy: 'Try again after the room event `handout.hide`, or after the room is closed.',
  },
  TRANSCRIPTION_IN_PROGRESS: {
    meaning: 'The same recording is being transcribed in the same language and kind.',
    causes: [
      'The automatic transcription is still running.',
      'The transcription was started twice.',
    ],
    remedy:
      'Wait for the webhook `transcription.completed`, or read the transcription that `details` names.',
  },
  ROOM_CLOSED: {
    meaning: 'The room is closed, so its settings cannot change.',
    causes: ['The room was closed, or its session was cancelled.'],
    remedy: 'Pass language and engine when you start a transcription instead.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    meaning: 'The first request with this Idempotency-Key is still running.',
    causes: ['A request was repeated before the first one was answered.'],
    remedy: RETRY,
  },
  PRECONDITION_FAILED: {
    meaning: 'Somebody else changed it since you read it. Nothing was changed now.',
    causes: ['Two people correct the same transcript.'],
    remedy: 'Read it again, and send your change of what is there now with the new ETag.',
  },
  FILE_TOO_LARGE: {
    meaning: 'The body or the file exceeds its limit.',
    causes: [
      'A JSON body is larger than 1 MiB.',
      'An image of a handout is larger than 20 MB, or a video larger than 300 MB.',
      'A file for the chat is larger than 20 MB.',
    ],
    remedy: 'Send a smaller file. `details` names the limit where the file is a part of a form.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The operation does not accept the `Content-Type` of the request.',
    causes: [
      'The header is missing.',
      'A form was sent to an operation that takes JSON, or text to one that takes a form.',
      '`application/merge-patch+json` was sent with another method than PATCH.',
    ],
    remedy:
      'Send one of the types that `details` lists: `application/json`, for PATCH also `application/merge-patch+json`, for handouts `multipart/form-data`.',
  },
  VALIDATION_ERROR: {
    meaning: 'The request is well-formed, but breaks a rule of the service.',
    causes: [
      'The role may not do this in the room (NOT_ALLOWED).',
      'The end of a trim or a clip, or the place of a comment, is after the end of the recording (EXCEEDS_DURATION).',
      'A quota is used up, or a recording has as many clips or comments as it may have (QUOTA_EXCEEDED).',
      'Someone has not agreed to be recorded (CONSENT_REQUIRED), or no one is present (ROOM_EMPTY).',
      'A connection test is not in the required state.',
    ],
    remedy: 'Read `details`: each entry names a field, a code and what is allowed.',
  },
  INVALID_TIME_WINDOW: {
    meaning: 'The slot is not possible.',
    causes: [
      '`ends_at` is not after `starts_at` (BEFORE_STARTS_AT).',
      '`ends_at` is in the past (IN_PAST).',
      'The slot is longer than 24 hours (SLOT_TOO_LONG).',
      'A time without the right offset, such as local time marked as UTC.',
    ],
    remedy: 'Correct the times. `details` names each rule that the slot breaks.',
  },
  OUTSIDE_TIME_WINDOW: {
    meaning:
      'People may enter from 30 minutes before the slot until 30 minutes after it. It is too early or too late.',
    causes: ['A person opens the link too early.', 'The slot has moved.'],
    remedy:
      'Read the headers `x-window-opens-at` and `x-window-closes-at`, and enter in between. Move the slot if it is wrong.',
  },
  UNSUPPORTED_FILE_TYPE: {
    meaning: 'The file is not of an accepted type, or is not what its name says.',
    causes: [
      'The extension is not allowed (UNSUPPORTED_EXTENSION).',
      'Extension, declared type and content do not agree (CONTENT_MISMATCH).',
      'The image is damaged, or has too many pixels (TOO_LARGE).',
    ],
    remedy: 'Convert the file to an allowed type. `details` lists the extensions.',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    meaning: 'The Idempotency-Key, or the id of a chat message, was used for something else.',
    causes: [
      'The same key was sent with another body or to another address.',
      'A key is not random, or is shared between actions or viewers.',
    ],
    remedy: 'Use a new random key for each action. Keep it only for retries of that action.',
  },
  IMMUTABLE_FIELD: {
    meaning: 'A patch changes a field that is fixed at creation.',
    causes: [
      'The whole resource was sent back instead of the changed members.',
      'A PATCH of a session has `external_type` or `external_id`.',
      'A PATCH of a room has a setting of recording or streaming.',
    ],
    remedy: 'Send only the members that may change. `details` names the others.',
  },
  INVALID_STAMP: {
    meaning: 'The stamp does not exist for this role and visibility.',
    causes: ['`text` is a label instead of an identifier.', 'The stamp belongs to another role.'],
    remedy: 'List the stamps with `GET /rooms/{room_id}/chat-stamps` and send one of them.',
  },
  RATE_LIMIT_EXCEEDED: {
    meaning:
      'One person in a room sent too many requests, or your backend did: the operator may limit the requests of your API keys in a minute.',
    causes: [
      'Your API keys together sent more than `RateLimit-Limit` requests in a minute.',
      'More than 180 messages or 20 files in a minute, unless the operator set other numbers.',
      'More than 60 room events in a minute, or one report of the connection quality in five seconds.',
    ],
    remedy:
      'Wait as long as `Retry-After` says. In your backend, slow down when `RateLimit-Remaining` becomes small.',
  },
  INTERNAL_ERROR: {
    meaning: 'A defect of the service.',
    causes: ['Nothing that you sent should lead to this.'],
    remedy: 'Report it to the operator with the `X-Request-Id` of the response.',
  },
  RTC_PROVISION_FAILED: {
    meaning: 'The media server did not create the media room, or did not start the recording.',
    causes: ['The media server is down, overloaded or set up wrongly.'],
    remedy:
      'Try again with the same Idempotency-Key: nothing was booked or recorded. Contact the operator if it continues.',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'The database, the storage or the capacity is missing at the moment.',
    causes: ['A short failure, a restart or an overload.'],
    remedy: RETRY,
  },
}

/** The meaning of each code of `details`. */
export const DETAIL_GUIDE: Readonly<Record<DetailCode, string>> = {
  REQUIRED: 'The member is missing.',
  NOT_NULLABLE: 'The member must not be null.',
  INVALID_TYPE: 'The member must have another JSON type.',
  INVALID_FORMAT: 'A date, id, cursor or text is malformed.',
  INVALID_ENUM: 'The value is not one of the allowed values. The message lists them.',
  TOO_SHORT: 'The text or the list is too short.',
  TOO_LONG: 'The text or the list is too long.',
  OUT_OF_RANGE: 'The number is too small or too large.',
  UNKNOWN_FIELD: 'The operation has no such member.',
  PAIR_REQUIRED: '`external_type` and `external_id` must be sent together.',
  NOT_ALLOWED: 'Not allowed for this role, source or state.',
  IMMUTABLE: 'The field cannot change after creation.',
  BEFORE_STARTS_AT: '`ends_at` must be after `starts_at`.',
  IN_PAST: '`ends_at` must be in the future.',
  SLOT_TOO_LONG: 'The slot must not be longer than 24 hours.',
  TRIM_RANGE_INVALID: 'The end of a trim or a clip must be after its start.',
  EXCEEDS_DURATION:
    'The end of a trim or a clip, or the place of a comment, must not be after the end of the recording.',
  UNSUPPORTED_EXTENSION:
    'The extension of the file is not allowed. The message lists those that are.',
  CONTENT_MISMATCH: 'The content does not agree with the extension or the declared type.',
  TOO_LARGE: 'The image has too many pixels, or the file too many bytes.',
  DUPLICATE:
    'A header, part or parameter is sent twice, or something exists already: the message has its id.',
  CONSENT_REQUIRED: 'Someone has not agreed to be recorded. The field names the person.',
  ROOM_EMPTY: 'No one is present who could be recorded.',
  QUOTA_EXCEEDED:
    'Your quota is used up: the field is the member of `GET /usage` that shows it, `rooms_open` or `stored_bytes`. Or the recording has as many clips, comments or links as it may have: the field is `body`.',
  PASSWORD_WRONG: 'The password is not that of the link.',
}
