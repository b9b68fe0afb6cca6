import { type LoggedReport, readRtpLog } from './capture/rtp-log.ts'
import { type OrderedPacket, Reorderer } from './reorder.ts'

/** What one stream of a log said of its clocks, by its own timestamps without wraps. */
export interface StreamReport {
  timestamp: number
  senderMs: number
  atMs: number
}

export interface StreamedPacket extends OrderedPacket {
  /** Counts the streams of the log: another layer, or another source. */
  stream: number
}

/**
 * Reads the log of one track: its packets in the order they were sent, stream after stream. The
 * reports are complete when the packets are.
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
        // Only a packet that comes late belongs to a stream that was there before.
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

  // A report may come before the first packet, which shows what its timestamp means.
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
