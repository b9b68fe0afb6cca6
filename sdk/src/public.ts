/** The public interface of the package. Inside the repository, import from the file that has the thing. */
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
  type ParticipantTokenOptions,
  roomLink,
  signParticipantToken,
} from './participant-token.ts'
export { generateTokenKeys, type TokenAlgorithm, type TokenKeys } from './tenant-token.ts'
export { signViewerToken, type ViewerTokenOptions } from './viewer-token.ts'
export { verifyWebhook, WebhookError, type WebhookEvent, type WebhookRequest } from './webhook.ts'
export type { RoomBody as Room, SessionBody as Session } from '@interview-room/contract/rooms.ts'
