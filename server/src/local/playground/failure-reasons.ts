import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import type { Client } from '@interview-room/sdk/client.ts'
import type { WebhookLog } from './webhook-log.ts'

/** Why recordings failed, by their ids: the room's log keeps it. */
export async function findFailures(
  { api }: { api: Pick<Client, 'listRoomEvents'> },
  roomId: string,
  recordings: readonly RecordingBody[],
): Promise<ReadonlyMap<string, string>> {
  if (recordings.every(({ status }) => status !== 'failed')) return new Map()
  const { items } = await api.listRoomEvents({
    params: { room_id: roomId },
    query: { event_type: 'recording.failed', limit: 100 },
  })
  return new Map(
    items.map(({ payload }) => [
      wordOf(payload, 'recording_id'),
      wordOf(payload, 'failure_reason'),
    ]),
  )
}

/** Null when its webhook is not among those that are kept: no resource names the reason. */
export function reasonOfTranscription(
  webhooks: Pick<WebhookLog, 'entries'>,
  id: string,
): string | null {
  for (const { type, verified, body } of webhooks.entries()) {
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
