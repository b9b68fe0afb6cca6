import type { Room } from 'livekit-client'

type SignalClient = Room['engine']['client']

const known = new WeakSet<SignalClient>()

/**
 * Lets this page publish its pictures without naming their layers: of a camera with one layer that says nothing. Of
 * a layer that was named, livekit-server tells the publisher whether anybody receives it, and counts those whom the
 * publisher may not know of. The library has no setting for it, and makes a new client when it begins anew.
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
