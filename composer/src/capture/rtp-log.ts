import { open } from 'node:fs/promises'

/** A packet of a track, as it arrived. */
export interface LoggedPacket {
  kind: 'packet'
  atMs: number
  ssrc: number
  sequenceNumber: number
  timestamp: number
  layer: number
  /** The marker: the last packet of a frame. */
  isLast: boolean
  /** Loudness in -dBov: 0 is the loudest, 127 is silence or unknown. */
  level: number
  payload: Buffer
}

/** A sender's report about its clocks: its own time, and the media timestamp at that time. */
export interface LoggedReport {
  kind: 'report'
  atMs: number
  ssrc: number
  senderMs: number
  timestamp: number
}

export type LogRecord = LoggedPacket | LoggedReport

const PACKET = 1
const REPORT = 2
// The kind of the record, and the length of its body.
const HEAD_BYTES = 3
const PACKET_BODY_BYTES = 20
const REPORT_BODY_BYTES = 24
const MARKER_BIT = 0x80
const CHUNK_BYTES = 256 * 1024

/** The record as bytes: appended one after another, they are the log of a track. */
export function encodeRecord(record: LogRecord): Buffer {
  return record.kind === 'packet' ? encodePacket(record) : encodeReport(record)
}

function encodePacket(packet: LoggedPacket): Buffer {
  const out = Buffer.allocUnsafe(HEAD_BYTES + PACKET_BODY_BYTES + packet.payload.length)
  writeHead(out, PACKET, packet)
  out.writeUInt16BE(packet.sequenceNumber, 15)
  out.writeUInt32BE(packet.timestamp, 17)
  out.writeUInt8(packet.layer | (packet.isLast ? MARKER_BIT : 0), 21)
  out.writeUInt8(packet.level, 22)
  packet.payload.copy(out, HEAD_BYTES + PACKET_BODY_BYTES)
  return out
}

function encodeReport(report: LoggedReport): Buffer {
  const out = Buffer.allocUnsafe(HEAD_BYTES + REPORT_BODY_BYTES)
  writeHead(out, REPORT, report)
  out.writeDoubleBE(report.senderMs, 15)
  out.writeUInt32BE(report.timestamp, 23)
  return out
}

/** The size of the record in a log. */
export function sizeOfRecord(record: LogRecord): number {
  const bodyBytes =
    record.kind === 'packet' ? PACKET_BODY_BYTES + record.payload.length : REPORT_BODY_BYTES
  return HEAD_BYTES + bodyBytes
}

function writeHead(out: Buffer, kind: number, { atMs, ssrc }: LogRecord): void {
  out.writeUInt8(kind, 0)
  out.writeUInt16BE(out.length - HEAD_BYTES, 1)
  out.writeDoubleBE(atMs, 3)
  out.writeUInt32BE(ssrc, 11)
}

/**
 * The records of a log in the order they arrived. A process that was killed may have left half a record at the end: it is left out,
 * like everything after invalid bytes.
 */
export async function* readRtpLog(file: string): AsyncGenerator<LogRecord> {
  const handle = await open(file)
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES)
      if (bytesRead === 0) return
      const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
      const { end, isBroken } = yield* decodeAll(bytes)
      if (isBroken) return
      rest = bytes.subarray(end)
    }
  } finally {
    await handle.close()
  }
}

function* decodeAll(bytes: Buffer): Generator<LogRecord, { end: number; isBroken: boolean }> {
  let end = 0
  for (;;) {
    const found = decodeRecord(bytes, end)
    if (typeof found === 'string') return { end, isBroken: found === 'broken' }
    yield found.record
    end = found.end
  }
}

function decodeRecord(
  bytes: Buffer,
  offset: number,
): { record: LogRecord; end: number } | 'incomplete' | 'broken' {
  if (offset + HEAD_BYTES > bytes.length) return 'incomplete'
  const kind = bytes.readUInt8(offset)
  const bodyBytes = bytes.readUInt16BE(offset + 1)
  const isPacket = kind === PACKET && bodyBytes >= PACKET_BODY_BYTES
  if (!isPacket && !(kind === REPORT && bodyBytes === REPORT_BODY_BYTES)) return 'broken'

  const end = offset + HEAD_BYTES + bodyBytes
  if (end > bytes.length) return 'incomplete'
  const body = bytes.subarray(offset + HEAD_BYTES, end)
  const common = { atMs: body.readDoubleBE(0), ssrc: body.readUInt32BE(8) }
  if (!Number.isFinite(common.atMs) || common.atMs <= 0) return 'broken'
  if (!isPacket) {
    const report = { senderMs: body.readDoubleBE(12), timestamp: body.readUInt32BE(20) }
    return { record: { kind: 'report', ...common, ...report }, end }
  }
  const record: LoggedPacket = {
    kind: 'packet',
    ...common,
    sequenceNumber: body.readUInt16BE(12),
    timestamp: body.readUInt32BE(14),
    layer: body.readUInt8(18) & ~MARKER_BIT,
    isLast: (body.readUInt8(18) & MARKER_BIT) !== 0,
    level: body.readUInt8(19),
    payload: body.subarray(PACKET_BODY_BYTES),
  }
  return { record, end }
}
