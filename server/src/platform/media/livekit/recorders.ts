import { connect } from 'node:net'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { type CallProvider, createProviderClient, ProviderRefusal } from './provider-client.ts'

export type RecorderSettings = Pick<
  Config['livekit'],
  'egressUrls' | 'drainedEgressUrls' | 'apiKey' | 'apiSecret'
> & { clock: Clock }

/** One address of the configuration. No other one is ever called: a call carries a token of ours. */
export interface Recorder {
  address: string
  call: CallProvider
  /** True if a connection to the address is accepted. */
  isReachable(): Promise<boolean>
}

export interface Recorders {
  all: readonly Recorder[]
  /** Undefined if it is not configured (any more). */
  find(address: string | null): Recorder | undefined
  /** Addresses that take orders, in the order in which to ask for the next egress. */
  inTurn(): string[]
  /**
   * The recorders to ask for a list: those with these addresses, and all that are not known to be silent; all if an address is not
   * configured. A recorder that could not be reached a moment ago does not delay the others.
   */
  toList(owners: readonly (string | null)[]): Recorder[]
}

/** Timeout of one of several recorders, after which the next one is asked. LiveKit needs longer, because it looks for a worker. */
const ONE_OF_SEVERAL_SEC = 4
/** Timeout of the connection to a machine that is gone. */
const CONNECT_SEC = 2
/** How long a recorder that did not answer is asked last, in milliseconds. */
const SILENT_MS = 30_000
/** How long a recorder that could not be reached is not asked for its list, in milliseconds. */
const UNREACHABLE_MS = 3_000
/** Long enough for a second packet if the first one is lost. */
const CONNECT_MS = 1_500

/**
 * The configured recorders. They take turns, which spreads the rooms without asking them for their load: a full one refuses
 * immediately, and the next one is asked. Every process counts its own turns, from a random one on.
 */
export function createRecorders(
  { egressUrls, drainedEgressUrls, ...keys }: RecorderSettings,
  timeoutSec: number,
): Recorders {
  const silent = rememberFor(SILENT_MS)
  const unreachable = rememberFor(UNREACHABLE_MS)
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
        silent.forget(address)
        return answer
      } catch (error) {
        if (error instanceof ProviderRefusal) silent.forget(address)
        else silent.note(address)
        throw error
      }
    }
  }

  async function probeAddress(address: string): Promise<boolean> {
    const isTaken = await takesConnection(address, CONNECT_MS)
    if (isTaken) unreachable.forget(address)
    else unreachable.note(address)
    return isTaken
  }

  const all = addresses.map((address) => ({
    address,
    call: watched(address),
    isReachable: () => probeAddress(address),
  }))
  const find = (address: string | null) => all.find((each) => each.address === address)

  return {
    all,
    find,

    inTurn() {
      const first = turn
      turn = (turn + 1) % egressUrls.length
      const rotated = [...egressUrls.slice(first), ...egressUrls.slice(0, first)]
      return rotated.toSorted((a, b) => Number(silent.has(a)) - Number(silent.has(b)))
    },

    toList(owners) {
      if (owners.some((owner) => find(owner) === undefined)) return all
      const asked = all.filter(({ address }) => owners.includes(address) || !silent.has(address))
      const reachable = asked.filter(({ address }) => !unreachable.has(address))
      return reachable.length > 0 ? reachable : asked
    },
  }
}

/** Remembers each address for this long. */
function rememberFor(ms: number) {
  const atMs = new Map<string, number>()
  return {
    note: (address: string) => void atMs.set(address, performance.now()),
    forget: (address: string) => void atMs.delete(address),
    has: (address: string) => performance.now() - (atMs.get(address) ?? -Infinity) < ms,
  }
}

/** True if the machine accepts the connection, whatever the process does; false without a process or a machine. */
function takesConnection(address: string, timeoutMs: number): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address.replace(/^ws/, 'http'))
  const host = hostname.replace(/^\[|\]$/g, '')
  const answer = Promise.withResolvers<boolean>()
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) })
  socket.setTimeout(timeoutMs)
  socket.once('connect', () => answer.resolve(true))
  socket.once('error', () => answer.resolve(false))
  // If this process stood still, the connection may have been accepted long ago: `connect` comes before this decision.
  socket.once('timeout', () => setImmediate(() => answer.resolve(false)))
  return answer.promise.finally(() => socket.destroy())
}
