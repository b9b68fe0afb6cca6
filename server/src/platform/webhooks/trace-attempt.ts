import { runInContext } from '../lib/trace.ts'
import { inSpan, type Tracer } from '../ports/tracer.ts'
import type { ClaimedDelivery } from './delivery-store.ts'
import type { SendOutcome } from './send-webhook.ts'

/** Sends under a span of the trace in which the event was recorded. The receiver's address is not in it. */
export function traceAttempt(
  tracer: Tracer,
  { type, eventId, endpointId, attempt, traceContext }: ClaimedDelivery,
  send: () => Promise<SendOutcome>,
): Promise<SendOutcome> {
  const attributes = {
    'http.request.method': 'POST',
    'interview_room.webhook.type': type,
    'interview_room.webhook.event': eventId,
    'interview_room.webhook.endpoint': endpointId,
    'interview_room.webhook.attempt': attempt + 1,
  }
  const named = { name: `webhook ${type}`, kind: 'client', attributes } as const
  return runInContext(traceContext, () =>
    inSpan(tracer, named, async (span) => {
      const outcome = await send()
      if (outcome.status !== null) span?.describe({ 'http.response.status_code': outcome.status })
      if (outcome.kind !== 'accepted') span?.fail(outcome.errorClass)
      return outcome
    }),
  )
}
