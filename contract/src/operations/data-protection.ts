import { Type } from 'typebox'
import {
  DataExport,
  ErasureBody,
  ErasurePreviewBody,
  ErasureQuery,
  ExportedRoomBody,
  LegalHoldBody,
  ErasureRequest,
  LegalHoldRequest,
} from '../data-protection.ts'
import { listOf } from '../envelope.ts'
import { RetentionBody, RetentionPatch } from '../retention.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { idOf, ListQuery } from './params.ts'
import { ERASURE, EXPORTED_ROOM, LEGAL_HOLD, RETENTION } from './samples-of-data-protection.ts'
import { ROOM } from './samples.ts'

const ErasureParams = Type.Object({ erasure_id: idOf(ERASURE, 'Id of the erasure.') })
const HoldParams = Type.Object({ legal_hold_id: idOf(LEGAL_HOLD, 'Id of the legal hold.') })

const MANAGED = { plane: 'control', scope: 'manage', tag: 'Extensions' } as const

export const requestErasure = operation({
  id: 'requestErasure',
  method: 'POST',
  path: '/data-subjects/erasures',
  ...MANAGED,
  summary: 'Erase a person',
  description:
    'Erases everything of one person in your rooms and connection tests, in the background. It waits until every room that the person entered is over; issue no more participant tokens for them. Recordings of rooms in which the person was are deleted whole unless you say `keep`. What a legal hold covers stays until the hold is released. The `receipt` says what was removed and what stays, signed with the key of `GET /.well-known/jwks.json`. A person whom the service does not know gets a receipt with zeros. While an erasure of the same person is not `done`, the answer is that erasure, which looks again immediately; `recordings` must be the same. After that, a request is a new erasure of what has come since, and `previous_erasure_id` names the one before.',
  body: ErasureRequest,
  answers: { 202: ErasureBody },
  refusals: ['VALIDATION_ERROR'],
  isKeyed: true,
  hasLocation: true,
  example: {
    request: { external_type: 'User', external_id: '4711' },
    answer: ERASURE,
  },
})

export const previewErasure = operation({
  id: 'previewErasure',
  method: 'POST',
  path: '/data-subjects/erasure-previews',
  ...MANAGED,
  summary: 'Preview an erasure',
  description:
    'Counts what an erasure of this person would remove now, and says what would stay. Changes nothing.',
  body: ErasureRequest,
  answers: { 200: ErasurePreviewBody },
  example: {
    request: { external_type: 'User', external_id: '4711' },
    answer: {
      subject: ERASURE.subject,
      removed: {
        ...ERASURE.removed,
        participants: 2,
        entries: 3,
        chat_messages: 12,
        recordings: 1,
      },
      remains: [],
      waits_until: null,
    },
  },
})

export const listErasures = operation({
  id: 'listErasures',
  method: 'GET',
  path: '/data-subjects/erasures',
  ...MANAGED,
  summary: 'List erasures',
  description:
    'Returns your erasures, newest first. They do not name the person; to find those of a person, make a preview and send its `subject`.',
  query: ErasureQuery,
  answers: { 200: listOf(ErasureBody) },
  example: { answer: pageOf(ERASURE) },
})

export const getErasure = operation({
  id: 'getErasure',
  method: 'GET',
  path: '/data-subjects/erasures/{erasure_id}',
  ...MANAGED,
  summary: 'Get an erasure',
  description: 'Returns how far an erasure is, and its receipt.',
  params: ErasureParams,
  answers: { 200: ErasureBody },
  example: { answer: ERASURE },
})

export const exportDataSubject = operation({
  id: 'exportDataSubject',
  method: 'POST',
  path: '/data-subjects/exports',
  ...MANAGED,
  summary: 'Export the data of a person',
  description:
    'Returns what is stored of one person, room by room, oldest first: for a copy of their data, or to move it elsewhere. Send `next_cursor` as `cursor` for the next page. It is a POST so that the reference stands in no address; it changes nothing. Recordings and transcripts show other people, too: their ids are named, and you read them with `GET /recordings/{recording_id}`. A person whom the service does not know has no rooms.',
  body: DataExport,
  answers: { 200: listOf(ExportedRoomBody) },
  example: {
    request: { external_type: 'User', external_id: '90210' },
    answer: pageOf(EXPORTED_ROOM),
  },
})

export const placeLegalHold = operation({
  id: 'placeLegalHold',
  method: 'POST',
  path: '/legal-holds',
  ...MANAGED,
  summary: 'Place a legal hold',
  description:
    'Holds a room, or every room and connection test of a person: no erasure and no retention deletes what is in it until the hold is released. Your own DELETE still does. A hold does not bring back what is gone.',
  body: LegalHoldRequest,
  answers: { 201: LegalHoldBody },
  refusals: ['VALIDATION_ERROR'],
  isKeyed: true,
  hasLocation: true,
  example: { request: { room_id: ROOM.id, reason: LEGAL_HOLD.reason }, answer: LEGAL_HOLD },
})

export const listLegalHolds = operation({
  id: 'listLegalHolds',
  method: 'GET',
  path: '/legal-holds',
  ...MANAGED,
  summary: 'List legal holds',
  description: 'Returns the legal holds that stand, oldest first.',
  query: ListQuery,
  answers: { 200: listOf(LegalHoldBody) },
  example: { answer: pageOf(LEGAL_HOLD) },
})

export const getLegalHold = operation({
  id: 'getLegalHold',
  method: 'GET',
  path: '/legal-holds/{legal_hold_id}',
  ...MANAGED,
  summary: 'Get a legal hold',
  description: 'Returns one legal hold that stands.',
  params: HoldParams,
  answers: { 200: LegalHoldBody },
  example: { answer: LEGAL_HOLD },
})

export const releaseLegalHold = operation({
  id: 'releaseLegalHold',
  method: 'DELETE',
  path: '/legal-holds/{legal_hold_id}',
  ...MANAGED,
  summary: 'Release a legal hold',
  description: 'Removes the hold. Erasures that it blocked continue immediately. A repeat is 404.',
  params: HoldParams,
  answers: { 204: NOTHING },
})

export const getRetention = operation({
  id: 'getRetention',
  method: 'GET',
  path: '/retention',
  ...MANAGED,
  summary: 'Get the retention rules',
  description: 'Returns after how many days recordings, chat and handouts of a room are deleted.',
  answers: { 200: RetentionBody },
  example: { answer: RETENTION },
})

export const patchRetention = operation({
  id: 'patchRetention',
  method: 'PATCH',
  path: '/retention',
  ...MANAGED,
  summary: 'Change the retention rules',
  description:
    'Changes the members that you send; null removes a rule. The days are counted from the end of a room: the end of its slot, or its close if that is later. Nothing is deleted before the event `retention.notice` has been in the feed (`GET /events`) for 7 days, or for the days of the rule if these are fewer; so a rule that covers old rooms gives notice first. No webhook is sent for it. Removing or lengthening a rule withdraws its notices. A legal hold stops the deletion until it is released.',
  body: RetentionPatch,
  answers: { 200: RetentionBody },
  refusals: ['VALIDATION_ERROR'],
  example: { request: { recordings_days: 90, handouts_days: 30 }, answer: RETENTION },
})
