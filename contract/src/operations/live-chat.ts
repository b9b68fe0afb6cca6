import { ChatMessageBody } from '../chat.ts'
import { listOf } from '../envelope.ts'
import { AttachmentBody, HistoryQuery, AttachmentRequest, SendMessage } from '../live-chat.ts'
import { operation, pageOf } from './operation.ts'
import { RoomParams } from './params.ts'
import { ADMISSION_REFUSALS } from './refusals.ts'
import { PARTICIPANT } from './samples.ts'

const MESSAGE = {
  id: '5b0c2a52-9a3a-4c0e-9d6e-3f6f0f2f7c11',
  visibility: 'private',
  participant_id: PARTICIPANT.id,
  sender_name: 'M-01',
  content_type: 'text',
  text: 'もう少し詳しく聞いてください',
  attachment: null,
  created_at: '2030-11-21T01:05:07.123Z',
}

export const sendMessage = operation({
  id: 'sendMessage',
  method: 'POST',
  path: '/rooms/{room_id}/live/messages',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Send a chat message',
  description:
    'Sends a message to everyone whose role may read that visibility, as the event `message` of the room stream. You make the `id`, so a repeat is safe: it returns 200 with the first message. The same `id` with other content is 422 IDEMPOTENCY_KEY_CONFLICT. To send a file, upload it first and pass its `attachment_id`. Messages cannot be edited.',
  checksAdmissionItself: true,
  params: RoomParams,
  body: SendMessage,
  answers: { 200: ChatMessageBody, 201: ChatMessageBody },
  refusals: [
    'VALIDATION_ERROR',
    'INVALID_STAMP',
    'IDEMPOTENCY_KEY_CONFLICT',
    'UPLOAD_NOT_FOUND',
    'FILE_TOO_LARGE',
    'UNSUPPORTED_FILE_TYPE',
    'RATE_LIMIT_EXCEEDED',
    ...ADMISSION_REFUSALS,
  ],
  example: {
    request: {
      id: MESSAGE.id,
      visibility: MESSAGE.visibility,
      content_type: MESSAGE.content_type,
      text: MESSAGE.text,
    },
    answer: MESSAGE,
  },
})

export const listMessagesInRoom = operation({
  id: 'listMessagesInRoom',
  method: 'GET',
  path: '/rooms/{room_id}/live/messages',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'List the chat messages you may read',
  description:
    'Returns the messages that your role may read, newest first. Use it to fill the chat when the page opens. New messages arrive on the room stream.',
  params: RoomParams,
  query: HistoryQuery,
  answers: { 200: listOf(ChatMessageBody) },
  refusals: ADMISSION_REFUSALS,
  example: {
    answer: pageOf(MESSAGE),
  },
})

export const createAttachment = operation({
  id: 'createAttachment',
  method: 'POST',
  path: '/rooms/{room_id}/live/attachments',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Upload a file for the chat',
  description:
    'Returns a signed URL for one PUT of at most 20 MB. Then send a message with the returned id. The service takes the content when the message is sent. A file that no message uses is deleted after a day.',
  params: RoomParams,
  body: AttachmentRequest,
  answers: { 201: AttachmentBody },
  refusals: [
    'VALIDATION_ERROR',
    'FILE_TOO_LARGE',
    'UNSUPPORTED_FILE_TYPE',
    'RATE_LIMIT_EXCEEDED',
    ...ADMISSION_REFUSALS,
  ],
  example: {
    request: {
      name: '職務経歴書.pdf',
      mime: 'application/pdf',
      size: 183_402,
      visibility: 'public',
    },
    answer: {
      id: '0d5f6b0e-6f0b-4a55-8f2f-1c9a6f4f8d20',
      upload: {
        url: 'https://storage.example.com/attachments/0d5f6b0e?signature=c2ln',
        expires_at: '2030-11-21T01:20:00.000Z',
      },
    },
  },
})
