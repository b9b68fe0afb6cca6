import type { FillingCounters, PathReading, Sample, StreamCounters } from './sample.ts'

/** An entry of the browser's statistics. Browsers omit members that they do not support. */
export type StatsEntry = Readonly<Record<string, unknown>> & { type?: unknown }

interface SendingStats {
  upAudio: StreamCounters | null
  upVideo: StreamCounters | null
  upPath: PathReading | null
}

interface ReceivingStats {
  downAudio: StreamCounters | null
  downVideo: StreamCounters | null
  downPath: PathReading | null
}

/** Reads the sending connection: what it sent, and what the other end reported about it. */
export function readSending(entries: readonly StatsEntry[]): SendingStats {
  return {
    upAudio: readSent(entries, 'audio'),
    upVideo: readSent(entries, 'video'),
    upPath: readPath(entries),
  }
}

/** Reads the connection that receives the media back. */
export function readReceiving(entries: readonly StatsEntry[]): ReceivingStats {
  return {
    downAudio: readReceived(entries, 'audio'),
    downVideo: readReceived(entries, 'video'),
    downPath: readPath(entries),
  }
}

/** Statistics of the two connections; the streams that fill the link are separate from the others. */
export interface ConnectionStats {
  sending: readonly StatsEntry[]
  receiving: readonly StatsEntry[]
  filling: { sending: readonly StatsEntry[]; receiving: readonly StatsEntry[] }
}

export function sampleOf(atMs: number, { sending, receiving, filling }: ConnectionStats): Sample {
  return {
    atMs,
    ...readSending(sending),
    ...readReceiving(receiving),
    upFilling: totalOf(allOf(filling.sending, 'outbound-rtp', readSentEntry)),
    downFilling: totalOf(allOf(filling.receiving, 'inbound-rtp', readReceivedEntry)),
  }
}

function allOf(
  entries: readonly StatsEntry[],
  type: 'outbound-rtp' | 'inbound-rtp',
  read: (entry: StatsEntry, entries: readonly StatsEntry[]) => StreamCounters,
): StreamCounters[] {
  return entries.filter((entry) => entry.type === type).map((entry) => read(entry, entries))
}

function totalOf(streams: readonly StreamCounters[]): FillingCounters | null {
  if (streams.length === 0) return null
  const total = (name: keyof FillingCounters) =>
    streams.reduce((sum, stream) => sum + (stream[name] ?? 0), 0)
  return { bytes: total('bytes'), packets: total('packets'), packetsLost: total('packetsLost') }
}

type Kind = 'audio' | 'video'

function readSent(entries: readonly StatsEntry[], kind: Kind): StreamCounters | null {
  const sent = entries.find((entry) => entry.type === 'outbound-rtp' && entry['kind'] === kind)
  return sent === undefined ? null : readSentEntry(sent, entries)
}

function readSentEntry(sent: StatsEntry, entries: readonly StatsEntry[]): StreamCounters {
  const reported = entries.find(
    (entry) => entry.type === 'remote-inbound-rtp' && entry['localId'] === sent['id'],
  )
  const durationsSec = sent['qualityLimitationDurations'] as StatsEntry | undefined
  return {
    bytes: without(sent['bytesSent'], sent['retransmittedBytesSent']),
    packets: without(sent['packetsSent'], sent['retransmittedPacketsSent']),
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
  return received === undefined ? null : readReceivedEntry(received)
}

function readReceivedEntry(received: StatsEntry): StreamCounters {
  return {
    bytes: numberOf(received['bytesReceived']),
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
    rttSumMs: secToMs(pair['totalRoundTripTime']),
    rttCount: numberOf(pair['responsesReceived']),
    availableOutgoingKbps: availableBps === null ? null : availableBps / 1000,
    protocol: textOf(local?.['relayProtocol']) ?? textOf(local?.['protocol']),
    candidateType: textOf(local?.['candidateType']),
  }
}

/** The transport names its pair. In browsers without that, the nominated pair is used. */
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

/** Subtracts retransmissions and probes, which are not part of the stream. */
function without(all: unknown, again: unknown): number | null {
  const known = numberOf(all)
  return known === null ? null : known - (numberOf(again) ?? 0)
}

function secToMs(sec: unknown): number | null {
  const known = numberOf(sec)
  return known === null ? null : known * 1000
}

/** A number beyond exact integers is no valid count, and sums with it might not be finite. */
function numberOf(value: unknown): number | null {
  const isCount = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER
  return isCount ? value : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : null
}
