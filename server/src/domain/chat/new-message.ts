import { CHAT_AUDIENCE } from '@interview-room/contract/chat.ts'
import type { ErrorDetail } from '@interview-room/contract/errors.ts'
import type { SendMessage, SentContentType } from '@interview-room/contract/live-chat.ts'
import {
  ROLES,
  type Role,
  VISIBILITIES,
  type Visibility,
} from '@interview-room/contract/vocabulary.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import type { TicketHolder } from '../people/ticket.ts'
import type { ChatMessage } from './message.ts'
import { stampsOf } from './stamps.ts'

/** What is sent, and by whom. */
export interface OutgoingMessage {
  holder: TicketHolder
  body: SendMessage
}

export interface Sent {
  message: Omit<ChatMessage, 'seq'>
  /** False for a repeat, which is absorbed. */
  isNew: boolean
}

function canSend(role: Role, visibility: Visibility): boolean {
  return CHAT_AUDIENCE[visibility].senders.some((each) => each === role)
}

/** What somebody of this role receives. */
export function readableBy(role: Role): Visibility[] {
  return VISIBILITIES.filter((each) => receiversOf(each).includes(role))
}

export function receiversOf(visibility: Visibility): Role[] {
  const { receivers } = CHAT_AUDIENCE[visibility]
  return ROLES.filter((role) => receivers.some((each) => each === role))
}

/** Throws 422 VALIDATION_ERROR unless this role may write there. */
export function refuseAudience(role: Role, visibility: Visibility): void {
  if (!canSend(role, visibility)) throw audienceRefusal()
}

function audienceRefusal(): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'visibility',
    code: 'NOT_ALLOWED',
    message: 'this role does not send there',
  })
}

type Part = 'required' | 'optional' | 'none'

/** What belongs to each kind of message besides its id. */
const PARTS: Record<SentContentType, { text: Part; attachment_id: Part }> = {
  text: { text: 'required', attachment_id: 'none' },
  stamp: { text: 'required', attachment_id: 'none' },
  file: { text: 'optional', attachment_id: 'required' },
}

/**
 * Why this cannot be sent, if so: 400 INVALID_REQUEST when parts are missing or too many, 422 VALIDATION_ERROR when the role
 * may not write there, 422 INVALID_STAMP for a stamp that is not of its set.
 */
export function refusalOf(role: Role, message: SendMessage): ServiceError | undefined {
  const details = (['text', 'attachment_id'] as const).flatMap(
    (field) => faultOf(field, message) ?? [],
  )
  if (details.length > 0) return new ServiceError('INVALID_REQUEST', { details })
  if (!canSend(role, message.visibility)) return audienceRefusal()
  const isForeignStamp = message.content_type === 'stamp' && !isStampOf(role, message)
  return isForeignStamp ? new ServiceError('INVALID_STAMP') : undefined
}

function faultOf(field: 'text' | 'attachment_id', message: SendMessage): ErrorDetail | undefined {
  const part = PARTS[message.content_type][field]
  const isGiven = message[field] !== undefined
  if (part === 'required' && !isGiven) return { field, code: 'REQUIRED', message: 'is required' }
  if (part === 'none' && isGiven) {
    return { field, code: 'NOT_ALLOWED', message: 'does not belong to this content_type' }
  }
  return undefined
}

function isStampOf(role: Role, { visibility, text = '' }: SendMessage): boolean {
  return stampsOf(role).some(
    (stamp) => stamp.visibility === visibility && stamp.identifier === text,
  )
}
