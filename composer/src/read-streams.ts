import { type LoggedReport, readRtpLog } from './capture/rtp-log.ts'
import { type OrderedPacket, Reorderer } from './reorder.ts'

/** A report of one stream about its clocks, with its own timestamps unwrapped. */
export interface StreamReport {
  timestamp: number
  senderMs: number
  atMs: number
}

export interface StreamedPacket extends OrderedPacket {
  /** Numbers the streams of the log: another layer, or another source. */
  stream: number
}

/**
 * Reads the log of one track: its packets in the order they were sent, stream after stream. The reports are complete when all
 * packets are read.
 */
export class StreamReader {
  /** By stream. */
  readonly reports: StreamReport[][] = []
  readonly #early: LoggedReport[] = []

  async *read(file: string): AsyncGenerator<StreamedPacket> {
    let ssrc: number | undefined
    let order = new Reorderer()
    for await (const record of readRtpLog(file)) {
      if (record.kind === 'report') {
        this.#keep(record, record.ssrc === ssrc ? order : undefined)
        continue
      }
      if (record.ssrc !== ssrc) {
        // Only a late packet belongs to an earlier stream.
        yield* this.#label(order.flush())
        ssrc = record.ssrc
        order = new Reorderer()
        this.reports.push([])
      }
      yield* this.#label(order.push(record))
      this.#adopt(record.ssrc, order)
    }
    yield* this.#label(order.flush())
  }

  #label(packets: OrderedPacket[]): StreamedPacket[] {
    return packets.map((packet) => ({ ...packet, stream: this.reports.length - 1 }))
  }

  #keep(report: LoggedReport, order: Reorderer | undefined): void {
    const timestamp = order?.unwrap(report.timestamp)
    if (timestamp === undefined) this.#early.push(report)
    else this.reports.at(-1)?.push({ ...report, timestamp })
  }

  // A report may come before the first packet, which shows what the report's timestamp means.
  #adopt(ssrc: number, order: Reorderer): void {
    if (this.#early.length === 0) return
    for (let i = this.#early.length - 1; i >= 0; i--) {
      const report = this.#early[i] as LoggedReport
      if (report.ssrc !== ssrc) continue
      this.#early.splice(i, 1)
      this.#keep(report, order)
    }
  }
}
