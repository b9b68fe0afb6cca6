import type { TriggerRequest } from '@interview-room/contract/sandbox.ts'
import { UsageError } from './cli-error.ts'
import type { Client } from './client.ts'
import { ApiError } from './errors.ts'

interface TriggerOptions {
  reason?: string | undefined
  room?: string | undefined
  list?: boolean | undefined
}

type TriggerClient = Pick<Client, 'getSandbox' | 'triggerWebhook'>

/**
 * Triggers a webhook, and prints the result. Throws UsageError for an unknown type, and ApiError if the service
 * refuses.
 */
export async function trigger(
  client: TriggerClient,
  type: string | undefined,
  { reason, room, list }: TriggerOptions,
): Promise<void> {
  const { triggers } = await client.getSandbox().catch(explainMissing)
  if (list === true) {
    for (const each of triggers) print([each.type, ...each.failure_reasons].join(' '))
    return
  }
  const choice = triggers.find((each) => each.type === type)
  if (choice === undefined) {
    const types = triggers.map((each) => each.type).join(', ')
    throw new UsageError(`the type must be one of: ${types}`)
  }
  const body: TriggerRequest = {
    type: choice.type,
    ...(reason !== undefined && { failure_reason: reason }),
    ...(room !== undefined && { room_id: room }),
  }
  print(JSON.stringify(await client.triggerWebhook({ body })))
}

function explainMissing(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error
  throw new Error('this API key is of a real tenant, which has no sandbox', { cause: error })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
