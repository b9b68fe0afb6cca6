import { isIP } from 'node:net'
import type { EnvironmentReader } from '../lib/environment.ts'

/** The proxies whose `X-Forwarded-For` is believed: the number of hops before the service, or their networks. */
export type TrustedProxies = number | readonly string[]

const HOPS_MAX = 9
const RULE =
  'TRUST_PROXY must be true, false, a number of proxies from 0 to 9, or networks such as 10.0.0.0/8 with commas between them'

/** Reads TRUST_PROXY: `true` is one hop, `false` none. */
export function readTrustedProxies(read: EnvironmentReader): TrustedProxies {
  const text = read.text('TRUST_PROXY', { fallback: 'false' })
  if (text === 'false') return 0
  if (text === 'true') return 1
  if (/^\d$/.test(text) && Number(text) <= HOPS_MAX) return Number(text)
  const networks = text.split(',').map((each) => each.trim())
  if (networks.every((each) => isNetwork(each))) return networks
  read.problems.push(RULE)
  return 0
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...others] = text.split('/')
  const family = isIP(address)
  if (family === 0 || others.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
