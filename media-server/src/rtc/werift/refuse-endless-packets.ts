/** A transport of the library, of which only this much is used. */
interface Transport {
  dataReceiver: (packet: Buffer) => void
}

const guarded = new WeakSet<Transport>()

/**
 * werift steps through a packet of SCTP by the lengths that it states, and a length of zero keeps the process until its
 * memory is full. Passes on only packets that it comes to an end of, whatever function it sets as its receiver.
 */
export function refuseEndlessPackets(given: object): void {
  const transport = given as Transport
  if (guarded.has(transport)) return
  guarded.add(transport)
  let receive = transport.dataReceiver
  Object.defineProperty(transport, 'dataReceiver', {
    get: () => (packet: Buffer) => {
      if (isWellFormed(packet)) receive(packet)
    },
    set(next: Transport['dataReceiver']) {
      receive = next
    },
  })
}

// RFC 9260, 3.
const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 4
const PARAMETER_HEADER_BYTES = 4

/** Offset of a chunk's parameters, by its type: INIT and its answer have fields before them. */
const PARAMETERS_AT = new Map([
  [1, CHUNK_HEADER_BYTES + 16],
  [2, CHUNK_HEADER_BYTES + 16],
  ...[4, 5, 6, 9, 130].map((type) => [type, CHUNK_HEADER_BYTES] as const),
])

function isWellFormed(packet: Buffer): boolean {
  return [...partsOf(packet, HEADER_BYTES)].every((chunk) => {
    if (chunk === undefined) return false
    const parametersAt = PARAMETERS_AT.get(chunk.readUInt8(0))
    return parametersAt === undefined || ![...partsOf(chunk, parametersAt)].includes(undefined)
  })
}

/** Chunks of a packet, or parameters of a chunk, which have the same frame; undefined for one of an impossible length. */
function* partsOf(bytes: Buffer, start: number): Generator<Buffer | undefined> {
  for (let at = start; at + PARAMETER_HEADER_BYTES <= bytes.length;) {
    const length = bytes.readUInt16BE(at + 2)
    const isPossible = length >= PARAMETER_HEADER_BYTES
    yield isPossible ? bytes.subarray(at, at + length) : undefined
    at = isPossible ? at + Math.ceil(length / 4) * 4 : bytes.length
  }
}
