import type { Feedback } from '../../src/rtc/transport-feedback.ts'

/** Reads transport-wide feedback, written from the draft and not from the writer. Throws when it is malformed. */
export function readFeedback(message: Buffer): Feedback {
  const isPadded = (message.readUInt8(0) & 0b0010_0000) !== 0
  must(message.readUInt8(0) >> 6 === 2, 'version')
  must((message.readUInt8(0) & 0b1_1111) === 15, 'format')
  must(message.readUInt8(1) === 205, 'type')
  must((message.readUInt16BE(2) + 1) * 4 === message.length, 'length')
  const padding = isPadded ? message.readUInt8(message.length - 1) : 0
  must(padding < 4, 'padding')

  const { statuses, at } = readStatuses(message)
  const { arrivals, end } = readArrivals(message, statuses, at)
  must(end === message.length - padding, 'deltas')
  return {
    senderSsrc: message.readUInt32BE(4),
    mediaSsrc: message.readUInt32BE(8),
    baseSequenceNumber: message.readUInt16BE(12),
    messageNumber: message.readUInt8(19),
    arrivals,
  }
}

function readStatuses(message: Buffer): { statuses: number[]; at: number } {
  const count = message.readUInt16BE(14)
  const statuses: number[] = []
  let at = 20
  while (statuses.length < count) {
    const bits = message.readUInt16BE(at).toString(2).padStart(16, '0')
    at += 2
    statuses.push(...statusesOf(bits))
  }
  return { statuses: statuses.slice(0, count), at }
}

function statusesOf(bits: string): number[] {
  if (bits.startsWith('0')) {
    const length = Number.parseInt(bits.slice(3), 2)
    return Array.from({ length }, () => Number.parseInt(bits.slice(1, 3), 2))
  }
  const size = bits[1] === '0' ? 1 : 2
  const symbols = bits.slice(2).match(new RegExp(`.{${size}}`, 'g')) ?? []
  return symbols.map((symbol) => Number.parseInt(symbol, 2))
}

function readArrivals(message: Buffer, statuses: readonly number[], from: number) {
  let end = from
  let time = message.readUIntBE(16, 3) * 256
  const arrivals = statuses.map((status) => {
    must(status < 3, 'status')
    if (status === 0) return undefined
    time += status === 1 ? message.readUInt8(end) : message.readInt16BE(end)
    end += status
    return time
  })
  return { arrivals, end }
}

function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`malformed feedback: ${what}`)
}
