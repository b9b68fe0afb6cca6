import { SANDBOX_TRIGGERS } from '@interview-room/contract/sandbox.ts'
import { WEBHOOK_DATA } from '@interview-room/contract/webhooks.ts'
import type { WebhookEvent } from '@interview-room/sdk/webhook.ts'
import { describe, expect, test } from 'vitest'
import { useSandbox } from '../../testing/sandbox.ts'
import { waitFor } from '../../testing/wait-for.ts'

const MINUTE_MS = 60_000
const plane = useSandbox()

/** Every type of webhook without a reason, and with each of its reasons. */
const ALL = Object.entries(SANDBOX_TRIGGERS)
  .filter(([type]) => type !== 'sample_interview')
  .flatMap(([type, reasons]) => [null, ...reasons].map((reason) => ({ type, reason })))

interface TriggerAnswer {
  type: string
  reason: string | null
  roomId: string | null
}

async function trigger({ type, reason }: { type: string; reason: string | null }) {
  const body = { type, ...(reason !== null && { failure_reason: reason }) }
  const answer = await plane.sandbox.post('/sandbox/triggers', body)
  expect(answer.status, answer.text).toBe(202)
  return { type, reason, roomId: answer.data.room_id } satisfies TriggerAnswer
}

/** True for the webhook that a trigger promised. */
function isOf({ type, reason, roomId }: TriggerAnswer, event: WebhookEvent): boolean {
  if (event.type !== type) return false
  if (event.type === 'webhook.test') return true
  if (event.data.room_id !== roomId) return false
  if (event.type === 'participant.entered') return true
  const hasSucceeded = ['available', 'done', 'completed'].includes(event.data.status)
  return reason === null ? hasSucceeded : event.data.failure_reason === reason
}

describe('triggers', () => {
  // contract: triggerWebhook › Every type of webhook can be triggered, and every failure_reason
  // contract: getSandbox › 200 with `triggers`: every type and its `failure_reasons`
  test('cover every webhook type of the contract', async () => {
    const types = [...Object.keys(WEBHOOK_DATA), 'sample_interview']
    expect(Object.keys(SANDBOX_TRIGGERS).toSorted()).toEqual(types.toSorted())
    const { status, data } = await plane.sandbox.get('/sandbox')
    expect(status).toBe(200)
    expect(data.triggers).toEqual(
      Object.entries(SANDBOX_TRIGGERS).map(([type, reasons]) => ({
        type,
        failure_reasons: [...reasons],
      })),
    )
  })

  // contract: triggerWebhook › 202; the webhook follows, signed and with its failure_reason
  test('bring about every type and every failure reason', { timeout: 2 * MINUTE_MS }, async () => {
    const triggered: TriggerAnswer[] = []
    for (const each of ALL) triggered.push(await trigger(each))
    const missing = () =>
      triggered.filter((each) => !plane.received.some((event) => isOf(each, event)))
    await waitFor(() => missing().length === 0, MINUTE_MS).catch(() => {})
    expect(missing()).toEqual([])
    // The real provider receives no call from a sandbox.
    expect(plane.real.calls).toEqual([])
  })
})
