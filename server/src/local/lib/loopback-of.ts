import { hostInUrl } from '../../platform/config/config.ts'

/** A server that listens everywhere is reached from here by the loopback address. */
export function loopbackOf(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : hostInUrl(host)
}
