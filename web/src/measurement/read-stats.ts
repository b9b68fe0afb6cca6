import type { PathReading, Sample, StreamCounters } from './sample.ts'

/** An entry of the browser's statistics; each browser leaves out what it does not know. */
export type StatsEntry = Readonly<Record<string, unknown>> & { type?: unknown }

interface Sending {
  upAudio: StreamCounters | null
  upVideo: StreamCounters | null
  upPath: PathReading | null
}

interface Receiving {
  downAudio: StreamCounters | null
  downVideo: StreamCounters | null
  downPath: PathReading | null
}

/** Of the connection that publishes: what it sent, and what the other end reported of it. */
export function readSending(entries: readonly StatsEntry[]): Sending {
  return {
    upAudio: readSent(entries, 'audio'),
    upVideo: readSent(entries, 'video'),
    upPath: readPath(entries),
  }
}

/** Of the connection that receives it back. */
export function readReceiving(entries: readonly StatsEntry[]): Receiving {
  return {
    downAudio: readReceived(entries, 'audio'),
    downVideo: readReceived(entries, 'video'),
    downPath: readPath(entries),
  }
}

export function sampleOf(
  atMs: number,
  stats: { sending: readonly StatsEntry[]; receiving: readonly StatsEntry[] },
): Sample {
  return { atMs, ...readSending(stats.sending), ...readReceiving(stats.receiving) }
}

type Kind = 'audio' | 'video'

function readSent(entries: readonly StatsEntry[], kind: Kind): StreamCounters | null {
  const sent = entries.find((entry) => entry.type === 'outbound-rtp' && entry['kind'] === kind)
  if (sent === undefined) return null
  const reported = entries.find(
    (entry) => entry.type === 'remote-inbound-rtp' && entry['localId'] === sent['id'],
  )
  const durationsSec = sent['qualityLimitationDurations'] as StatsEntry | undefined
  return {
    bytes: withHeaders(sent['bytesSent'], sent['headerBytesSent']),
    packets: numberOf(sent['packetsSent']),
    packetsLost: numberOf(reported?.['packetsLost']),
    rttMs: secToMs(reported?.['roundTripTime']),
    jitterMs: secToMs(reported?.['jitter']),
    frames: numberOf(sent['framesEncoded']),
    widthPx: numberOf(sent['frameWidth']),
    heightPx: numberOf(sent['frameHeight']),
    freezeCount: null,
    limitedByCpuSec: numberOf(durationsSec?.['cpu']),
    limitedByBandwidthSec: numberOf(durationsSec?.['bandwidth']),
  }
}

function readReceived(entries: readonly StatsEntry[], kind: Kind): StreamCounters | null {
  const received = entries.find((entry) => entry.type === 'inbound-rtp' && entry['kind'] === kind)
  if (received === undefined) return null
  return {
    bytes: withHeaders(received['bytesReceived'], received['headerBytesReceived']),
    packets: numberOf(received['packetsReceived']),
    packetsLost: numberOf(received['packetsLost']),
    rttMs: null,
    jitterMs: secToMs(received['jitter']),
    frames: numberOf(received['framesDecoded']),
    widthPx: numberOf(received['frameWidth']),
    heightPx: numberOf(received['frameHeight']),
    freezeCount: numberOf(received['freezeCount']),
    limitedByCpuSec: null,
    limitedByBandwidthSec: null,
  }
}

function readPath(entries: readonly StatsEntry[]): PathReading | null {
  const pair = chosenPair(entries)
  if (pair === undefined) return null
  const local = entries.find(
    ({ type, id }) => type === 'local-candidate' && id === pair['localCandidateId'],
  )
  const availableBps = numberOf(pair['availableOutgoingBitrate'])
  return {
    rttMs: secToMs(pair['currentRoundTripTime']),
    availableOutgoingKbps: availableBps === null ? null : availableBps / 1000,
    protocol: textOf(local?.['relayProtocol']) ?? textOf(local?.['protocol']),
    candidateType: textOf(local?.['candidateType']),
  }
}

/** The transport names its pair; a browser that does not tells which pair was nominated. */
function chosenPair(entries: readonly StatsEntry[]): StatsEntry | undefined {
  const pairs = entries.filter(({ type }) => type === 'candidate-pair')
  const transport = entries.find(
    (entry) => entry.type === 'transport' && entry['selectedCandidatePairId'] !== undefined,
  )
  return (
    pairs.find(({ id }) => id === transport?.['selectedCandidatePairId']) ??
    pairs.find((pair) => pair['nominated'] === true && pair['state'] === 'succeeded')
  )
}

function withHeaders(bytes: unknown, headerBytes: unknown): number | null {
  const known = numberOf(bytes)
  return known === null ? null : known + (numberOf(headerBytes) ?? 0)
}

function secToMs(sec: unknown): number | null {
  const known = numberOf(sec)
  return known === null ? null : known * 1000
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : null
}
