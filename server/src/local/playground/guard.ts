import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { type Config, hostInUrl } from '../../platform/config/config.ts'

/** The parts of a request that decide if it may use the playground. */
export interface Visit {
  method: string
  /** The socket's address, not a header's, because a sender may write any header. */
  peer: string | undefined
  headers: IncomingHttpHeaders
}

export interface GuardOptions {
  config: Pick<Config, 'host' | 'publicUrl'>
  /** True: open to everybody who can reach the service. False: only to this machine. */
  isOpen: boolean
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/**
 * True if the request may use the playground, and so act as the tenant. A page of another site must not, neither with a name of its
 * own that leads here (Host) nor with a form (Sec-Fetch-Site, Origin). What a proxy on this machine passes on without
 * saying so is refused by the name in its Origin, unless the sender is no browser.
 */
export function mayUsePlayground(visit: Visit, { config, isOpen }: GuardOptions): boolean {
  const names = new Set([...LOOPBACK_NAMES, hostInUrl(config.host)])
  if (isOpen) names.add(new URL(config.publicUrl).hostname)
  // Only names, not addresses, can be made to lead elsewhere.
  const isOurs = (name: string) => names.has(name) || (isOpen && isAddress(name))
  const { host, origin } = visit.headers
  const isOwnPage = origin === undefined || isOurs(hostnameOf(origin.replace(/^https?:\/\//, '')))
  if (!isOurs(hostnameOf(host)) || !isOwnPage) return false
  return (isOpen || comesFromHere(visit)) && !comesFromOtherSite(visit)
}

/** True if a service that listens at this address can be reached from this machine, for a playground that is not open. */
export function reachesLoopback(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === 'localhost' || isLoopback(host)
}

/** A proxy on this machine connects from here as well, but acts for somebody else. */
function comesFromHere({ peer, headers }: Visit): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return isLoopback(peer) && !isForwarded
}

function comesFromOtherSite({ method, headers }: Visit): boolean {
  const site = headers['sec-fetch-site']
  const isSameSite = site === undefined || site === 'same-origin' || site === 'none'
  return method !== 'GET' && !isSameSite
}

/** IPv4 addresses may arrive in their IPv6 form (`::ffff:127.0.0.1`). */
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
