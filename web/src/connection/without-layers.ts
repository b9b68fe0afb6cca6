import type { Room } from 'livekit-client'

type SignalClient = Room['engine']['client']

const known = new WeakSet<SignalClient>()

/**
 * Publishes video without naming its layers, which means the same for a camera with one layer. For a named layer,
 * livekit-server tells the publisher if anybody receives it, and this would also reveal hidden people. The library
 * has no setting for it, and creates a new client when it reconnects from scratch.
 */
export function publishWithoutLayers(room: Room): void {
  const client = Object.getPrototypeOf(room.engine.client) as SignalClient
  if (known.has(client)) return
  known.add(client)
  // oxlint-disable-next-line typescript/unbound-method -- called with its `this` below
  const send = client.sendAddTrack
  client.sendAddTrack = async function sendAddTrack(this: SignalClient, request) {
    request.layers = []
    return send.call(this, request)
  }
}
