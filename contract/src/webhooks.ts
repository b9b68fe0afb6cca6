import type { Role } from './vocabulary.ts'

export interface ExternalRef {
  external_type: string
  external_id: string
}

/** Data of W1 `participant.entered` (part B, "Outbound webhooks"). */
export interface ParticipantEnteredData {
  room_id: string
  session_id: string | null
  session_external_ref: ExternalRef | null
  participant: {
    id: string | null
    role: Role
    display_name: string
    external_type: string | null
    external_id: string | null
  }
  entry_history_id: number
  entered_at: string
}

/** Data per webhook type. `webhook.test` is sent by the operator's test command only. */
export interface WebhookData {
  'participant.entered': ParticipantEnteredData
  'webhook.test': { message: string }
}
export type WebhookType = keyof WebhookData

/** "Common envelope": the exact JSON that is signed and sent. `id` starts with `evt_`. */
export interface WebhookEnvelope<T extends WebhookType = WebhookType> {
  id: string
  version: '1'
  type: T
  occurred_at: string
  data: WebhookData[T]
}
