import type { IncomingMessage, ServerResponse } from 'node:http'
import { webhookTarget } from '../../src/api/webhooks.ts'
import { silentLog } from '../../src/lib/log.ts'
import {
  type MediaServer,
  type MediaServerOptions,
  openRooms,
  serveParts,
} from '../../src/server.ts'
import { recordableRooms } from '../../src/sfu/rooms.ts'
import { EmulatedNetwork } from './emulated-network-transport.ts'
import { serveFaults } from './faults-route.ts'
import { Faults } from './faults.ts'
import { FaultyEgresses } from './faulty-egresses.ts'
import { FaultyWebhooks } from './faulty-webhooks.ts'

/** The media server with parts that fail where `POST /faults` asks for it. */
export async function startFaultyServer(options: MediaServerOptions): Promise<MediaServer> {
  const { apiKeys, log = silentLog } = options
  const faults = new Faults()
  const networks = new Map<string, EmulatedNetwork>()
  const onSockets = (connection: object, identity: string): void => {
    const network =
      networks.get(identity) ?? new EmulatedNetwork(() => faults.networkOf(identity), log)
    networks.set(identity, network)
    network.attach(connection)
  }
  const webhooks = new FaultyWebhooks(webhookTarget(options), log, faults)
  const rooms = openRooms({ ...options, rtc: { ...options.rtc, onSockets } }, webhooks)
  const deps = { rooms: recordableRooms(rooms), webhooks, log }
  const egresses = options.egress && new FaultyEgresses(options.egress, deps, faults)
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    serveFaults(request, response, faults, apiKeys)
  return serveParts({ rooms, webhooks, egresses, handlers: new Map([['/faults', serve]]) }, options)
}
