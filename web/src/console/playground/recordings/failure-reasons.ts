import type { RoomEventBody } from '@interview-room/contract/room-events.ts'
import type { DeliveredWebhook } from '../local-api.ts'

/** The reasons of failed recordings, by recording id. */
export function failuresOf(
  events: readonly Pick<RoomEventBody, 'payload'>[],
): ReadonlyMap<string, string> {
  return new Map(
    events.map(({ payload }) => [
      wordOf(payload, 'recording_id'),
      wordOf(payload, 'failure_reason'),
    ]),
  )
}

/** Null if its webhook is not among the stored ones, because no resource contains the reason. */
export function reasonOfTranscription(
  webhooks: readonly DeliveredWebhook[],
  id: string,
): string | null {
  for (const { type, verified, body } of webhooks) {
    if (!verified || type !== 'transcription.completed') continue
    const data = isRecord(body) && isRecord(body['data']) ? body['data'] : null
    if (data?.['transcription_id'] === id) return wordOf(data, 'failure_reason') || null
  }
  return null
}

function wordOf(record: Record<string, unknown> | null, name: string): string {
  const value = record?.[name]
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
