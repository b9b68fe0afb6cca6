import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export class TargetError extends Error {
  override name = 'TargetError'
}

export interface TargetRules {
  /** Addresses that are not public, and any port. */
  allowPrivate: boolean
  allowHttp: boolean
}

/** Of a web server: 22, 25 and other ports below 1024 belong to services that must not be talked to. */
const PORTS = new Set(['', '80', '443'])
const OWN_PORTS_FROM = 1024

/** These never leave the machine (RFC 6761). Other names are judged by what they resolve to, when it is sent. */
const LOOPBACK_NAME = /(^|\.)localhost\.?$/

/** Public by their numbers, and yet internal: metadata services of clouds. */
const METADATA = new Set(['168.63.129.16'])

/**
 * Whether a webhook may be sent to this address at all, judged by what the URL parser made of it:
 * `2130706433` and `0x7f.1` are 127.0.0.1 too. Throws TargetError.
 */
export function checkTarget(url: string, rules: TargetRules): URL {
  const problem = problemOf(url, rules)
  if (problem === undefined) return new URL(url)
  throw new TargetError(`${problem} (allowed here: ${allowedBy(rules)})`)
}

function problemOf(url: string, { allowPrivate, allowHttp }: TargetRules): string | undefined {
  if (!URL.canParse(url)) return 'is not an address'
  const target = new URL(url)
  const schemes = allowHttp ? ['http:', 'https:'] : ['https:']
  if (!schemes.includes(target.protocol)) {
    return `must start with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`
  }
  if (target.username !== '' || target.password !== '') return 'must hold no password'
  if (target.hash !== '') return 'must hold no fragment'
  if (allowPrivate) return undefined
  if (!PORTS.has(target.port) && Number(target.port) < OWN_PORTS_FROM) {
    return 'must use port 80, 443, or one from 1024 on'
  }
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const isOurs = isIP(host) === 0 ? LOOPBACK_NAME.test(host) : !isPublic(host)
  return isOurs ? 'is not public' : undefined
}

/** The rules of this installation in words: they differ between the local form and production. */
function allowedBy({ allowPrivate, allowHttp }: TargetRules): string {
  return `${allowPrivate ? 'any' : 'a public'} ${allowHttp ? 'http or https' : 'https'} address`
}

/** Globally reachable unicast; everything else in IANA's tables is refused. */
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
export function guardedLookup({ allowPrivate }: { allowPrivate: boolean }) {
  return (host: string, options: { all?: boolean }, callback: LookupCallback): void => {
    systemLookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const isRefused = !allowPrivate && addresses.some(({ address }) => !isPublic(address))
      const [first] = addresses
      if (isRefused || first === undefined) return callback(new TargetError('is not public'), [])
      if (options.all === true) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }
}
