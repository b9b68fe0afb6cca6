import { randomUUID } from 'node:crypto'
import { test as base } from './fixtures.ts'
import { deleteRoomIfOpen } from './rooms.ts'
import { until } from './until.ts'
import type { Delivery } from './webhook-receiver.ts'

/**
 * Waits until the named events of the room arrived. Answers these, or everything that arrived so
 * far, in the order of arrival.
 */
export type DeliveryCheck = (
  room: string,
  events: readonly string[],
  which?: 'named' | 'all',
) => Promise<Delivery[]>

export const test = base
  .extend('delivered', ({ stage }): DeliveryCheck => {
    return async (room, events, which = 'named') => {
      const arrived = await until({
        fact: `webhooks of ${room}: ${events.join(', ')}`,
        read: async () => {
          const response = await fetch(`${stage.webhookUrl}/deliveries?room=${room}`)
          return (await response.json()) as Delivery[]
        },
        holds: (deliveries) => events.every((event) => hasAll(deliveries, events, event)),
      })
      return which === 'all' ? arrived : arrived.filter(({ event }) => events.includes(event))
    }
  })
  .extend('refusingRoom', ({ api }, { onCleanup }) => {
    const names: string[] = []
    onCleanup(async () => {
      await Promise.all(names.map((name) => deleteRoomIfOpen(api, name)))
    })
    return async (plan: string): Promise<string> => {
      const name = `acceptance-${plan}-end-${randomUUID()}`
      names.push(name)
      await api.createRoom({ name, emptyTimeout: 300, departureTimeout: 60 })
      return name
    }
  })

test.beforeEach(({ stage, skip }) => {
  skip(
    stage.webhookUrl === null,
    'set LIVEKIT_ACCEPTANCE_WEBHOOK_PORT to the port this server delivers its webhooks to',
  )
})

/** An event named twice must have arrived twice. */
function hasAll(deliveries: Delivery[], events: readonly string[], event: string): boolean {
  const accepted = deliveries.filter((delivery) => delivery.event === event)
  return accepted.length >= events.filter((named) => named === event).length
}
