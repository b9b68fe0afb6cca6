import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { callbackify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { resolveHost } from './resolve-host.ts'

export class TargetError extends Error {
  override name = 'TargetError'
}

/** Public addresses only; also loopback ones of this machine; or all. Addresses that are not public may have any port. */
export type TargetReach = 'public' | 'loopback' | 'any'

export interface TargetRules {
  reach: TargetReach
  allowHttp: boolean
}

/** Ports of a web server. 22, 25 and other ports below 1024 belong to services that must not be called. */
const PORTS = new Set(['', '80', '443'])
const OWN_PORTS_FROM = 1024

/** These names never leave the machine (RFC 6761). Other names are judged by their addresses when the connection is made. */
const LOOPBACK_NAME = /(^|\.)localhost\.?$/

/** Public by their numbers, but internal: metadata services of clouds. */
const METADATA = new Set(['168.63.129.16'])

/**
 * Checks if a webhook may be sent to this address at all, as the URL parser reads it: `2130706433` and `0x7f.1` are 127.0.0.1 too.
 * Throws TargetError.
 */
export function checkTarget(url: string, rules: TargetRules): URL {
  const problem = problemOf(url, rules)
  if (problem === undefined) return new URL(url)
  throw new TargetError(`${problem} (allowed here: ${allowedBy(rules)})`)
}

function problemOf(url: string, { reach, allowHttp }: TargetRules): string | undefined {
  if (!URL.canParse(url)) return 'is not an address'
  const target = new URL(url)
  const schemes = allowHttp ? ['http:', 'https:'] : ['https:']
  if (!schemes.includes(target.protocol)) {
    return `must start with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`
  }
  if (target.username !== '' || target.password !== '') return 'must hold no password'
  if (target.hash !== '') return 'must hold no fragment'
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const isOwn = isIP(host) === 0 ? LOOPBACK_NAME.test(host) : isLoopback(host)
  if (reach === 'any' || (reach === 'loopback' && isOwn)) return undefined
  if (!PORTS.has(target.port) && Number(target.port) < OWN_PORTS_FROM) {
    return 'must use port 80, 443, or one from 1024 on'
  }
  return isOwn || (isIP(host) !== 0 && !isPublic(host)) ? 'is not public' : undefined
}

/** The rules of this installation in words. They differ between the local form and production. */
function allowedBy({ reach, allowHttp }: TargetRules): string {
  return `${REACH_IN_WORDS[reach]} ${allowHttp ? 'http or https' : 'https'} address`
}

const REACH_IN_WORDS = { public: 'a public', loopback: 'a public or loopback', any: 'any' } as const

function isWithin(address: string, reach: TargetReach): boolean {
  if (reach === 'any' || isPublic(address)) return true
  return reach === 'loopback' && isLoopback(address)
}

function isLoopback(address: string): boolean {
  return ipaddr.process(address).range() === 'loopback'
}

/** Globally reachable unicast addresses. Everything else in IANA's tables is refused. */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (METADATA.has(parsed.toString())) return false
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3'))
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void

/**
 * A resolver for the connection itself: what it lets through is what is connected to, so a name
 * cannot change its meaning between the check and the connection.
 */
export function guardedLookup({ reach }: Pick<TargetRules, 'reach'>) {
  const findWithin = async (host: string): Promise<[LookupAddress, ...LookupAddress[]]> => {
    const addresses = await resolveHost(host, { mayBeLocal: reach === 'any' })
    const [first, ...others] = addresses
    if (first === undefined || !addresses.every(({ address }) => isWithin(address, reach))) {
      throw new TargetError('is not public')
    }
    return [first, ...others]
  }

  const find = callbackify(findWithin)

  return (host: string, options: { all?: boolean }, callback: LookupCallback): void => {
    find(host, (error, addresses) => {
      if (error !== null) return callback(error, [])
      if (options.all === true) return callback(null, addresses)
      return callback(null, addresses[0].address, addresses[0].family)
    })
  }
}
