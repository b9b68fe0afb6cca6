import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { type Config, hostInUrl } from '../../platform/config/config.ts'

/** What a request to the playground is judged by. */
export interface Visit {
  method: string
  /** Of the socket, not of a header: headers say what their sender likes. */
  peer: string | undefined
  headers: IncomingHttpHeaders
}

export interface GuardOptions {
  config: Pick<Config, 'host' | 'publicUrl'>
  /** True: for everybody who reaches the service. False: for this machine only. */
  isOpen: boolean
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/**
 * Whether somebody may use the playground, and so act as the tenant. A page of another site must not, neither by a name
 * of its own that leads here (Host) nor by a form (Sec-Fetch-Site).
 */
export function mayUsePlayground(visit: Visit, { config, isOpen }: GuardOptions): boolean {
  const names = new Set([...LOOPBACK_NAMES, hostInUrl(config.host)])
  if (isOpen) names.add(new URL(config.publicUrl).hostname)
  const asked = hostnameOf(visit.headers.host)
  // Only names can be made to lead elsewhere.
  const isOurs = names.has(asked) || (isOpen && isAddress(asked))
  return isOurs && (isOpen || comesFromHere(visit)) && !comesFromOtherSite(visit)
}

/** Whether listening at this address lets this machine in at all, where the playground is not open. */
export function reachesLoopback(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === 'localhost' || isLoopback(host)
}

/** A proxy on this machine comes from here as well, but speaks for somebody else. */
function comesFromHere({ peer, headers }: Visit): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return isLoopback(peer) && !isForwarded
}

function comesFromOtherSite({ method, headers }: Visit): boolean {
  const site = headers['sec-fetch-site']
  const isSameSite = site === undefined || site === 'same-origin' || site === 'none'
  return method !== 'GET' && !isSameSite
}

/** IPv4 addresses may come in their IPv6 form (`::ffff:127.0.0.1`). */
function isLoopback(address: string | undefined): boolean {
  const version = isIP(address ?? '')
  if (address === undefined || version === 0) return false
  return LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || isIP(hostname) !== 0
}

function hostnameOf(host: string | undefined): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}
