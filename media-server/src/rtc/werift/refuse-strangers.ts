import { createHmac, timingSafeEqual } from 'node:crypto'

type Address = readonly [host: string, port: number]
type Receive = (data: Buffer, from: Address) => void

/** A socket of the library; the one of UDP has the first of these, the one of TCP the second. */
interface Socket {
  datagramReceived?: Receive
  handleFrame?: Receive
}

/** The used part of a connection of the library. */
interface Connection {
  protocols: readonly Socket[]
  localPassword: string
  /** Passwords by user name, with those from before a restart. */
  userHistory: Readonly<Record<string, string | undefined>>
  checkList: readonly { remoteAddr: Address }[]
}

const KNOWN_MAX = 100
const guarded = new WeakSet<Socket>()
const knownTo = new WeakMap<Connection, Set<string>>()

/**
 * werift takes packets from everywhere, and connectivity checks without looking at their signature: one record in plain
 * text of somebody who reaches the port ends DTLS, and nobody hears of it. Lets nothing into a connection but what its
 * other side sends; call it again when there may be more sockets.
 */
export function refuseStrangers(given: object): void {
  const connection = given as Connection
  const known = knownTo.get(connection) ?? new Set()
  knownTo.set(connection, known)
  for (const socket of connection.protocols) {
    if (guarded.has(socket)) continue
    guarded.add(socket)
    const name = socket.handleFrame === undefined ? 'datagramReceived' : 'handleFrame'
    const receive = socket[name]
    // Else everybody would be let in again by an update of it.
    if (receive === undefined)
      throw new Error('this version of the library takes packets elsewhere')
    socket[name] = (data, from) => {
      if (isOfOtherSide(connection, known, data, from)) receive.call(socket, data, from)
    }
  }
}

/** By a signed check, or from an address that is one of its candidates or has sent a signed check. */
function isOfOtherSide(
  connection: Connection,
  known: Set<string>,
  data: Buffer,
  from: Address,
): boolean {
  const name = from.join(' ')
  if (isStun(data)) {
    // The library itself takes answers to its own checks only, and looks at their signature.
    if (!isRequest(data)) return true
    if (!isSigned(data, connection)) return false
  } else if (known.has(name)) return true
  else if (!connection.checkList.some(({ remoteAddr }) => remoteAddr.join(' ') === name)) {
    return false
  }
  known.add(name)
  const [oldest] = known
  if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest)
  return true
}

// RFC 8489, 5 and 14.
const HEADER_BYTES = 20
const ATTRIBUTE_HEADER_BYTES = 4
const COOKIE = 0x2112a442
const CLASS_BITS = 0x0110
const USERNAME = 0x0006
const MESSAGE_INTEGRITY = 0x0008
const SIGNATURE_BYTES = 20

function isStun(data: Buffer): boolean {
  return data.length >= HEADER_BYTES && data.readUInt8(0) < 4 && data.readUInt32BE(4) === COOKIE
}

function isRequest(data: Buffer): boolean {
  return (data.readUInt16BE(0) & CLASS_BITS) === 0
}

/** True for a check that is signed with the password of our description. */
function isSigned(data: Buffer, { localPassword, userHistory }: Connection): boolean {
  let password = localPassword
  for (let at = HEADER_BYTES; at + ATTRIBUTE_HEADER_BYTES <= data.length;) {
    const type = data.readUInt16BE(at)
    const length = data.readUInt16BE(at + 2)
    const value = data.subarray(at + ATTRIBUTE_HEADER_BYTES, at + ATTRIBUTE_HEADER_BYTES + length)
    if (type === USERNAME) {
      const [own = ''] = value.toString('utf8').split(':')
      password = Object.hasOwn(userHistory, own) ? (userHistory[own] ?? password) : password
    }
    if (type === MESSAGE_INTEGRITY) {
      if (value.length !== SIGNATURE_BYTES) return false
      return timingSafeEqual(value, signatureOf(data.subarray(0, at), password))
    }
    at += ATTRIBUTE_HEADER_BYTES + Math.ceil(length / 4) * 4
  }
  return false
}

/** Signature of everything in front of it, with a length as if it were the last attribute. */
function signatureOf(message: Buffer, password: string): Buffer {
  const signed = Buffer.from(message)
  signed.writeUInt16BE(message.length - HEADER_BYTES + ATTRIBUTE_HEADER_BYTES + SIGNATURE_BYTES, 2)
  return createHmac('sha1', password).update(signed).digest()
}
