/** Bytes of each of the two numbers that make a signature by P-256. */
const NUMBER_BYTES = 32
const SEQUENCE = 0x30
const INTEGER = 0x02

/**
 * A signature by P-256 as JWS has it (RFC 7518, 3.4: both numbers in 32 bytes each), from the DER that OpenSSL writes.
 * Node can do it too, and takes as long for that as for signing.
 */
export function derToJose(der: Buffer): Buffer {
  const signature = Buffer.alloc(2 * NUMBER_BYTES)
  let start = 2
  for (const end of [NUMBER_BYTES, 2 * NUMBER_BYTES]) {
    const length = der.readUInt8(start + 1)
    start += 2 + length
    // Without the leading zero that marks the number as positive.
    const number = der.subarray(start - Math.min(length, NUMBER_BYTES), start)
    number.copy(signature, end - number.length)
  }
  return signature
}

/** The other direction; undefined if the length does not fit a P-256 signature. */
export function joseToDer(signature: Buffer): Buffer | undefined {
  if (signature.length !== 2 * NUMBER_BYTES) return undefined
  const numbers = [
    ...integerOf(signature.subarray(0, NUMBER_BYTES)),
    ...integerOf(signature.subarray(NUMBER_BYTES)),
  ]
  return Buffer.from([SEQUENCE, numbers.length, ...numbers])
}

/** In as few bytes as possible, and never negative. */
function integerOf(number: Buffer): number[] {
  let start = 0
  while (start < NUMBER_BYTES - 1 && number[start] === 0) start += 1
  const digits = number.subarray(start)
  const sign = digits.readUInt8(0) >= 0x80 ? [0] : []
  return [INTEGER, sign.length + digits.length, ...sign, ...digits]
}
