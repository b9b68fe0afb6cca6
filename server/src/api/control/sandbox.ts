import { randomUUID } from 'node:crypto'
import * as sandbox from '@interview-room/contract/operations/sandbox.ts'
import {
  type SimulatedPersonRequest,
  SANDBOX_TRIGGERS,
  type SandboxBody,
  type SandboxTriggerType,
} from '@interview-room/contract/sandbox.ts'
import { advanceClock } from '../../domain/sandbox/advance-clock.ts'
import { enterPerson, type NewPerson, removePerson } from '../../domain/sandbox/enter-person.ts'
import { triggerWebhook } from '../../domain/sandbox/trigger-webhook.ts'
import { refuseHalfRef } from '../../platform/lib/external-ref.ts'
import { cleanFreeText } from '../../platform/lib/free-text.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { requireSandbox } from '../../platform/sandbox/simulation.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

/** A sandbox tenant's actions in place of people, media and engines. */
export async function sandboxControlRoutes(app: App, deps: Deps): Promise<void> {
  serve(app, sandbox.getSandbox, async ({ tenantId }) => {
    await requireSandbox(deps.db, tenantId)
    return { data: presentSandbox() }
  })

  serve(app, sandbox.addSimulatedPerson, async ({ params, body, tenantId }) => {
    const person = personOf(body)
    const key = { tenantId, roomId: params.room_id }
    const { mediaIdentity, participantId, role, displayName } = await enterPerson(deps, key, person)
    return {
      data: {
        participant_id: participantId ?? mediaIdentity,
        role,
        display_name: displayName,
        is_publishing: person.isPublishing,
      },
    }
  })

  serve(app, sandbox.removeSimulatedPerson, async ({ params, tenantId }) => {
    await removePerson(deps, { tenantId, roomId: params.room_id }, params.participant_id)
  })

  serve(app, sandbox.triggerWebhook, async ({ body, tenantId, tenantLimits }) => {
    const { type, failure_reason: failureReason = null, room_id: roomId = null } = body
    const made = await triggerWebhook(deps, { tenantId, tenantLimits, type, failureReason, roomId })
    return {
      data: {
        type,
        failure_reason: failureReason,
        room_id: made.roomId,
        connection_test_id: made.connectionTestId,
      },
    }
  })

  serve(app, sandbox.advanceSandboxClock, async ({ body, tenantId }) => {
    const seconds = body.advance_seconds
    const { sessions, connectionTests } = await advanceClock(deps, { tenantId, seconds })
    return { data: { advanced_seconds: seconds, sessions, connection_tests: connectionTests } }
  })
}

function presentSandbox(): SandboxBody {
  const choices = Object.entries(SANDBOX_TRIGGERS) as [SandboxTriggerType, readonly string[]][]
  return { triggers: choices.map(([type, reasons]) => ({ type, failure_reasons: [...reasons] })) }
}

/** Throws 400 INVALID_REQUEST for half a reference. */
function personOf(body: SimulatedPersonRequest): NewPerson {
  refuseHalfRef(body)
  const { role, name, external_type, external_id, is_publishing = true, consent = 'given' } = body
  return {
    role,
    displayName: cleanFreeText(name),
    // A new person each time, unless the tenant names one.
    externalType: external_type ?? 'Simulated',
    externalId: String(external_id ?? randomUUID()),
    isPublishing: is_publishing && role !== 'observer',
    consent,
  }
}
