import type { Config } from '../../config/config.ts'
import { type CallProvider, createProviderClient, ProviderRefusal } from './provider-client.ts'

type RecorderSettings = Pick<
  Config['livekit'],
  'egressUrls' | 'drainedEgressUrls' | 'apiKey' | 'apiSecret'
>

/** One address of the configuration. No other one is ever called: a call carries a token of ours. */
export interface Recorder {
  address: string
  call: CallProvider
}

export interface Recorders {
  all: readonly Recorder[]
  /** Undefined when it is not configured, or not any more. */
  find(address: string | null): Recorder | undefined
  /** Addresses that take orders, in the order in which to ask for the next egress. */
  inTurn(): string[]
  /** Those of these addresses, and all that are not known to be silent; all for an address that is not configured. */
  toList(owners: readonly (string | null)[]): Recorder[]
}

/** One of several answers faster than LiveKit, which looks for a worker first, or the next one is asked. */
const ONE_OF_SEVERAL_SEC = 4
/** A machine that is gone takes no connection. */
const CONNECT_SEC = 2
/** One that did not answer is asked last for so long, in milliseconds. */
const SILENT_MS = 30_000

/**
 * The recorders of the configuration. They take turns, which spreads the rooms without asking anybody how
 * full they are: one that is full says so immediately, and the next one is asked. Every process counts for
 * itself, from a random one on.
 */
export function createRecorders(
  { egressUrls, drainedEgressUrls, ...keys }: RecorderSettings,
  timeoutSec: number,
): Recorders {
  const silentAtMs = new Map<string, number>()
  const addresses = [...egressUrls, ...drainedEgressUrls]
  const timeouts =
    addresses.length > 1
      ? { callSec: Math.min(timeoutSec, ONE_OF_SEVERAL_SEC), connectSec: CONNECT_SEC }
      : { callSec: timeoutSec }
  let turn = Math.floor(Math.random() * egressUrls.length)

  function watched(address: string): CallProvider {
    const call = createProviderClient({ ...keys, apiUrl: address }, timeouts)
    return async (method, what) => {
      try {
        const answer = await call(method, what)
        silentAtMs.delete(address)
        return answer
      } catch (error) {
        if (error instanceof ProviderRefusal) silentAtMs.delete(address)
        else silentAtMs.set(address, performance.now())
        throw error
      }
    }
  }

  function isSilent(address: string): boolean {
    const at = silentAtMs.get(address)
    return at !== undefined && performance.now() - at < SILENT_MS
  }

  const all = addresses.map((address) => ({ address, call: watched(address) }))
  const find = (address: string | null) => all.find((each) => each.address === address)

  return {
    all,
    find,

    inTurn() {
      const first = turn
      turn = (turn + 1) % egressUrls.length
      const rotated = [...egressUrls.slice(first), ...egressUrls.slice(0, first)]
      return rotated.toSorted((a, b) => Number(isSilent(a)) - Number(isSilent(b)))
    },

    toList(owners) {
      if (owners.some((owner) => find(owner) === undefined)) return all
      return all.filter(({ address }) => owners.includes(address) || !isSilent(address))
    },
  }
}
