import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readReceiving, readSending, type StatsEntry, sampleOf } from './read-stats.ts'

const PATH: StatsEntry[] = [
  { type: 'transport', id: 'T1', selectedCandidatePairId: 'P2' },
  {
    type: 'candidate-pair',
    id: 'P1',
    nominated: true,
    state: 'succeeded',
    currentRoundTripTime: 9,
  },
  {
    type: 'candidate-pair',
    id: 'P2',
    localCandidateId: 'L2',
    currentRoundTripTime: 0.045,
    totalRoundTripTime: 0.2,
    responsesReceived: 4,
    availableOutgoingBitrate: 1_250_000,
  },
  { type: 'local-candidate', id: 'L1', protocol: 'udp', candidateType: 'host' },
  { type: 'local-candidate', id: 'L2', protocol: 'udp', candidateType: 'host' },
]

const SENT: StatsEntry[] = [
  {
    type: 'outbound-rtp',
    id: 'O1',
    kind: 'video',
    bytesSent: 1000,
    retransmittedBytesSent: 100,
    packetsSent: 10,
    retransmittedPacketsSent: 1,
    framesEncoded: 5,
    frameWidth: 640,
    frameHeight: 480,
    qualityLimitationDurations: { cpu: 1.5, bandwidth: 2.5, none: 3, other: 0 },
  },
  { type: 'outbound-rtp', id: 'O2', kind: 'audio', bytesSent: 70, packetsSent: 7 },
  {
    type: 'remote-inbound-rtp',
    id: 'R2',
    localId: 'O2',
    kind: 'audio',
    packetsLost: 3,
    roundTripTime: 0.05,
    jitter: 0.002,
  },
]

describe('the statistics of a browser', () => {
  test('of sent media include the reports of the other side', () => {
    const { upAudio, upVideo, upPath } = readSending([...PATH, ...SENT])
    expect(upAudio).toMatchObject({ bytes: 70, packets: 7, packetsLost: 3, rttMs: 50, jitterMs: 2 })
    expect(upVideo).toMatchObject({
      bytes: 900,
      packets: 9,
      packetsLost: null,
      frames: 5,
      widthPx: 640,
      limitedByCpuSec: 1.5,
      limitedByBandwidthSec: 2.5,
    })
    expect(upPath).toEqual({
      rttMs: 45,
      rttSumMs: 200,
      rttCount: 4,
      availableOutgoingKbps: 1250,
      protocol: 'udp',
      candidateType: 'host',
    })
  })

  test('of received media have the freezes', () => {
    const entry = {
      type: 'inbound-rtp',
      kind: 'video',
      bytesReceived: 8,
      freezeCount: 2,
      jitter: 0.01,
    }
    const { downVideo, downAudio } = readReceiving([...PATH, entry])
    expect(downVideo).toMatchObject({ bytes: 8, freezeCount: 2, jitterMs: 10, rttMs: null })
    expect(downAudio).toBeNull()
  })

  test('of the filler streams are added up, separate from all others', () => {
    const filling = {
      sending: [1, 2].flatMap((id) => [
        { type: 'outbound-rtp', id: `F${id}`, kind: 'audio', bytesSent: 50, packetsSent: 5 },
        { type: 'remote-inbound-rtp', id: `R${id}`, localId: `F${id}`, packetsLost: id },
      ]),
      receiving: [{ type: 'inbound-rtp', kind: 'audio', bytesReceived: 9, packetsReceived: 3 }],
    }
    const sample = sampleOf(7, { sending: SENT, receiving: [], filling })
    expect(sample.upFilling).toEqual({ bytes: 100, packets: 10, packetsLost: 3 })
    expect(sample.downFilling).toEqual({ bytes: 9, packets: 3, packetsLost: 0 })
    expect(sample.upAudio?.bytes).toBe(70)
  })

  test('name the protocol to a relay, which may be TCP or TLS', () => {
    const relayed = PATH.map((entry) =>
      entry['id'] === 'L2' ? { ...entry, candidateType: 'relay', relayProtocol: 'TLS' } : entry,
    )
    expect(readSending(relayed).upPath).toMatchObject({ protocol: 'tls', candidateType: 'relay' })
  })

  test('without a transport come from the nominated pair', () => {
    expect(readSending(PATH.slice(1)).upPath).toMatchObject({ rttMs: 9000, protocol: null })
  })

  test('omit an impossibly large number', () => {
    const entry = { type: 'inbound-rtp', kind: 'video', bytesReceived: 2 ** 60, jitter: 1e308 }
    expect(readReceiving([entry]).downVideo).toMatchObject({ bytes: null, jitterMs: null })
  })

  test('may contain anything: a value that is not a number is null', () => {
    const odd = fc.record({
      type: fc.constantFrom('outbound-rtp', 'inbound-rtp', 'candidate-pair', 'transport', 'other'),
      kind: fc.constantFrom('audio', 'video', undefined),
      bytesSent: fc.anything(),
      bytesReceived: fc.anything(),
      packetsLost: fc.anything(),
      jitter: fc.anything(),
      currentRoundTripTime: fc.anything(),
    })
    fc.assert(
      fc.property(fc.array(odd), (entries) => {
        const streams = [readSending(entries).upVideo, readReceiving(entries).downVideo]
        for (const value of streams.flatMap((stream) => Object.values(stream ?? {}))) {
          expect(value === null || Number.isFinite(value)).toBe(true)
        }
      }),
    )
  })
})
