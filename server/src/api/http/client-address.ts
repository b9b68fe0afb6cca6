import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { ClientAddress } from '../../domain/people/client-address.ts'

const IN_BRACKETS = /^\[([^\]]+)\](?::\d+)?$/
const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/
const ZONE = /%.*$/
const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i

/**
 * The address of the client: what the last trusted proxy wrote, or the address of the connection if that is no address.
 * Null when the connection has none, because it is gone.
 */
export function clientAddressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>) {
  return readAddress(ip) ?? readAddress(socket.remoteAddress ?? '') ?? null
}

/** Without a port, brackets and a zone. Undefined for what is no IP address. */
export function readAddress(text: string): ClientAddress | undefined {
  const bare = (IN_BRACKETS.exec(text)?.[1] ?? IPV4_WITH_PORT.exec(text)?.[1] ?? text)
    .replace(ZONE, '')
    .replace(MAPPED, '')
  return isIP(bare) === 0 ? undefined : (bare as ClientAddress)
}
