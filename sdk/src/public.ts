/** What the package offers. Inside the repository, import from the file that has the thing. */
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  eachOf,
} from './client.ts'
export { isHostMessage, type HostMessage } from '@interview-room/contract/host-messages.ts'
export { ApiError, ConnectionError } from './errors.ts'
export {
  generateTokenKeys,
  type ParticipantTokenOptions,
  roomLink,
  signParticipantToken,
  type TokenAlgorithm,
  type TokenKeys,
} from './participant-token.ts'
export { verifyWebhook, WebhookError, type WebhookEvent, type WebhookRequest } from './webhook.ts'
export type { RoomBody as Room, SessionBody as Session } from '@interview-room/contract/rooms.ts'
