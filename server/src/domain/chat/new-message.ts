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

/** A message to send, with its sender. */
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

/** The visibilities whose messages this role receives. */
export function readableBy(role: Role): Visibility[] {
  return VISIBILITIES.filter((each) => receiversOf(each).includes(role))
}

export function receiversOf(visibility: Visibility): Role[] {
  const { receivers } = CHAT_AUDIENCE[visibility]
  return ROLES.filter((role) => receivers.some((each) => each === role))
}

/** Throws 422 VALIDATION_ERROR unless this role may write with this visibility. */
export function refuseAudience(role: Role, visibility: Visibility): void {
  if (!canSend(role, visibility)) throw audienceRefusal(role)
}

function audienceRefusal(role: Role): ServiceError {
  const allowed = VISIBILITIES.filter((each) => canSend(role, each))
  return refuseField('VALIDATION_ERROR', {
    field: 'visibility',
    code: 'NOT_ALLOWED',
    message: `must be one of: ${allowed.join(', ')}`,
  })
}

type Part = 'required' | 'optional' | 'none'

/** The fields of each kind of message besides its id. */
const PARTS: Record<SentContentType, { text: Part; attachment_id: Part }> = {
  text: { text: 'required', attachment_id: 'none' },
  stamp: { text: 'required', attachment_id: 'none' },
  file: { text: 'optional', attachment_id: 'required' },
}

/**
 * The refusal of a message that may not be sent: 400 INVALID_REQUEST for missing or surplus fields, 422 VALIDATION_ERROR
 * when the role may not write there, 422 INVALID_STAMP for a stamp outside the role's set. Returns undefined otherwise.
 */
export function refusalOf(role: Role, message: SendMessage): ServiceError | undefined {
  const details = (['text', 'attachment_id'] as const).flatMap(
    (field) => faultOf(field, message) ?? [],
  )
  if (details.length > 0) return new ServiceError('INVALID_REQUEST', { details })
  if (!canSend(role, message.visibility)) return audienceRefusal(role)
  return message.content_type === 'stamp' ? stampRefusal(role, message) : undefined
}

function faultOf(field: 'text' | 'attachment_id', message: SendMessage): ErrorDetail | undefined {
  const part = PARTS[message.content_type][field]
  const isGiven = message[field] !== undefined
  if (part === 'required' && !isGiven) return { field, code: 'REQUIRED', message: 'is required' }
  if (part === 'none' && isGiven) {
    return {
      field,
      code: 'NOT_ALLOWED',
      message: `is not allowed with content_type ${message.content_type}`,
    }
  }
  return undefined
}

function stampRefusal(role: Role, { visibility, text = '' }: SendMessage) {
  const stamps = stampsOf(role).filter((stamp) => stamp.visibility === visibility)
  const allowed: readonly string[] = stamps.map(({ identifier }) => identifier)
  if (allowed.includes(text)) return undefined
  return refuseField('INVALID_STAMP', {
    field: 'text',
    code: 'INVALID_ENUM',
    message:
      allowed.length === 0
        ? 'must not be a stamp: your role has none in this visibility'
        : `must be one of: ${allowed.join(', ')}`,
  })
}
