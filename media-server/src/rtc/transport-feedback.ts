/** Feedback on a run of packets: the number of the first, and when each arrived. */
export interface Feedback {
  senderSsrc: number
  mediaSsrc: number
  /** The transport-wide number of the first packet, 16 bits. */
  baseSequenceNumber: number
  /** Counts the messages, 8 bits. */
  messageNumber: number
  /** In ticks of a quarter of a millisecond; undefined: not arrived. At least one has arrived. */
  arrivals: readonly (number | undefined)[]
}

export const TICKS_PER_MS = 4
/** How far apart two arrivals of one message may be. */
export const DELTA_MAX_TICKS = 0x7fff

const TICKS_PER_REFERENCE = 256
const SMALL_DELTA_MAX = 0xff
const VERSION_AND_FORMAT = 0x8f
const PADDING_BIT = 0x20
const TRANSPORT_FEEDBACK_TYPE = 205
const HEADER_BYTES = 20
const WORD_BYTES = 4

const ABSENT = 0
const SMALL = 1
const LARGE = 2
type Status = typeof ABSENT | typeof SMALL | typeof LARGE

const RUN_LENGTH_MAX = 0x1fff
const BITS_OF_VECTOR = 14
const VECTOR_FLAG = 0x8000
const TWO_BITS_FLAG = 0x4000
const STATUS_SHIFT = 13

/**
 * Writes the RTCP message of draft-holmer-rmcat-transport-wide-cc-extensions-01, from which a sender
 * learns how long its packets were under way and which of them were lost.
 */
export function encodeFeedback(feedback: Feedback): Buffer {
  const { referenceTime, statuses, deltas } = describe(feedback.arrivals)
  const chunks = chunksOf(statuses)
  const deltaBytes = deltas.reduce((sum, delta) => sum + (isSmall(delta) ? 1 : 2), 0)
  const contentBytes = HEADER_BYTES + chunks.length * 2 + deltaBytes
  const paddingBytes = (WORD_BYTES - (contentBytes % WORD_BYTES)) % WORD_BYTES
  const message = Buffer.alloc(contentBytes + paddingBytes)

  message.writeUInt8(VERSION_AND_FORMAT | (paddingBytes > 0 ? PADDING_BIT : 0), 0)
  message.writeUInt8(TRANSPORT_FEEDBACK_TYPE, 1)
  message.writeUInt16BE(message.length / WORD_BYTES - 1, 2)
  message.writeUInt32BE(feedback.senderSsrc, 4)
  message.writeUInt32BE(feedback.mediaSsrc, 8)
  message.writeUInt16BE(feedback.baseSequenceNumber, 12)
  message.writeUInt16BE(statuses.length, 14)
  message.writeUIntBE(referenceTime & 0xff_ffff, 16, 3)
  message.writeUInt8(feedback.messageNumber, 19)
  let at = HEADER_BYTES
  for (const chunk of chunks) at = message.writeUInt16BE(chunk, at)
  for (const delta of deltas) {
    at = isSmall(delta) ? message.writeUInt8(delta, at) : message.writeInt16BE(delta, at)
  }
  if (paddingBytes > 0) message.writeUInt8(paddingBytes, message.length - 1)
  return message
}

/** Times are encoded as differences: from the reference time, then from one arrival to the next. */
function describe(arrivals: Feedback['arrivals']) {
  const first = arrivals.find((tick) => tick !== undefined) ?? 0
  const referenceTime = Math.floor(first / TICKS_PER_REFERENCE)
  const statuses: Status[] = []
  const deltas: number[] = []
  let last = referenceTime * TICKS_PER_REFERENCE
  for (const tick of arrivals) {
    if (tick === undefined) {
      statuses.push(ABSENT)
      continue
    }
    const delta = tick - last
    last = tick
    statuses.push(isSmall(delta) ? SMALL : LARGE)
    deltas.push(delta)
  }
  return { referenceTime, statuses, deltas }
}

function isSmall(delta: number): boolean {
  return delta >= 0 && delta <= SMALL_DELTA_MAX
}

/** Runs of one status where they are long, else vectors of 14 or 7 statuses. */
function chunksOf(statuses: readonly Status[]): number[] {
  const chunks: number[] = []
  let at = 0
  while (at < statuses.length) {
    const run = runLengthAt(statuses, at)
    const vector = statuses.slice(at, at + BITS_OF_VECTOR)
    if (run >= vector.length) {
      chunks.push(((statuses[at] ?? ABSENT) << STATUS_SHIFT) | run)
      at += run
    } else if (vector.includes(LARGE)) {
      chunks.push(VECTOR_FLAG | TWO_BITS_FLAG | packed(vector.slice(0, BITS_OF_VECTOR / 2), 2))
      at += BITS_OF_VECTOR / 2
    } else {
      chunks.push(VECTOR_FLAG | packed(vector, 1))
      at += BITS_OF_VECTOR
    }
  }
  return chunks
}

function runLengthAt(statuses: readonly Status[], from: number): number {
  let end = from
  while (end < statuses.length && statuses[end] === statuses[from]) end++
  return Math.min(end - from, RUN_LENGTH_MAX)
}

// Entries of a vector after the last packet read as not arrived and do not count.
function packed(statuses: readonly Status[], bits: number): number {
  return statuses.reduce<number>(
    (sum, status, at) => sum | (status << (BITS_OF_VECTOR - bits * (at + 1))),
    0,
  )
}
