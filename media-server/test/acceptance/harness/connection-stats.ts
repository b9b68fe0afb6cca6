import type { Client } from './page.ts'

/** Connection of a browser, by its statistics. */
export interface ConnectionStats {
  /** The last one measured, including the time in the queue. */
  roundTripSec: number
  availableKbps: number
  /** Video sent, its last second. */
  videoKbps: number
  audio: { packets: number; lost: number }
}

interface Row {
  id: string
  type: string
  kind?: string
  [name: string]: unknown
}

/** Runs in the page. Reads twice, a second apart. */
export async function connectionStats(
  { room }: Client,
  side: 'publisher' | 'subscriber',
): Promise<ConnectionStats> {
  const peer = room.engine.pcManager?.[side]
  const read = async (): Promise<Row[]> => [...((await peer?.getStats())?.values() ?? [])] as Row[]
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page gets this function alone
  const total = (rows: Row[], [type, kind, field]: readonly [string, string, string]): number => {
    const counted = rows.filter((row) => row.type === type && row.kind === kind)
    return counted.reduce((sum, row) => sum + Number(row[field] ?? 0), 0)
  }

  const before = await read()
  await new Promise((resolve) => {
    setTimeout(resolve, 1000)
  })
  const rows = await read()
  const transport = rows.find(({ type }) => type === 'transport')
  const pair = rows.find(({ id }) => id === transport?.['selectedCandidatePairId'])
  const isUp = side === 'publisher'
  const reporter = isUp ? 'remote-inbound-rtp' : 'inbound-rtp'
  const lost = total(rows, [reporter, 'audio', 'packetsLost'])
  const packets = isUp
    ? total(rows, ['outbound-rtp', 'audio', 'packetsSent'])
    : total(rows, ['inbound-rtp', 'audio', 'packetsReceived']) + lost
  const videoBytes = ['outbound-rtp', 'video', 'bytesSent'] as const
  return {
    roundTripSec: Number(pair?.['currentRoundTripTime'] ?? 0),
    availableKbps: Number(pair?.['availableOutgoingBitrate'] ?? 0) / 1000,
    videoKbps: ((total(rows, videoBytes) - total(before, videoBytes)) * 8) / 1000,
    audio: { packets, lost },
  }
}
