import type {
  BaselineFacts,
  LoadFacts,
  ReportedLoad,
  SummaryFacts,
} from '@interview-room/contract/connection-tests.ts'
import type {
  ConnectionWarning,
  StreamFrameRate,
  StreamResolution,
} from '@interview-room/contract/vocabulary.ts'
import { mosOf } from './mos.ts'

export interface Measurement {
  baseline: BaselineFacts
  load: ReportedLoad
  measuredSec: number
  /** The highest rate received while the connection was filled; null where it was not. */
  incomingCapacityKbps: number | null
}

const HIGH_LOSS_RATIO = 0.03
const HIGH_RTT_MS = 300
const HIGH_JITTER_MS = 50
/** Too little for a small picture and the voice. */
const LOW_UPLINK_KBPS = 200
/** Share of the measured time. A shorter limitation counts as a hiccup. */
const LIMITED_SHARE = 0.1

/** Summarises the measurement in a few numbers. It judges nothing: the tenant decides what is good enough. */
export function summarise(measurement: Measurement): SummaryFacts {
  const { baseline, load, measuredSec, incomingCapacityKbps } = measurement
  const { uplink, downlink } = load
  const flows = [uplink.audio, uplink.video, downlink.audio, downlink.video].filter(isMeasured)
  const numbers = {
    packet_loss_ratio: highest([lossOf(uplink), lossOf(downlink)]),
    rtt_ms: highest(flows.map((flow) => flow.rtt_ms)) ?? baseline.rtt_ms.avg,
    jitter_ms: highest(flows.map((flow) => flow.jitter_ms)) ?? baseline.jitter_ms.avg,
    uplink_kbps: highest([load.available_outgoing_kbps, bitrateOf(uplink)]),
    downlink_kbps: highest([incomingCapacityKbps, bitrateOf(downlink)]),
  }
  const limitation = limitationOf(uplink.video, measuredSec)
  return {
    audio: { mos: mosOf([uplink.audio, downlink.audio].filter(isMeasured), numbers) },
    video: { ...recommend(uplink.video, numbers.uplink_kbps, limitation), limitation },
    ...numbers,
    warnings: warningsOf({ baseline, limitation, ...numbers }),
  }
}

type Flow = NonNullable<LoadFacts['uplink']['audio']>
type Limitation = 'cpu' | 'bandwidth' | null

function isMeasured(flow: Flow | null): flow is Flow {
  return flow !== null
}

/** The highest measured value. */
function highest(values: readonly (number | null)[]): number | null {
  const measured = values.filter((value) => value !== null)
  return measured.length === 0 ? null : Math.max(...measured)
}

/** Packet loss of one direction, averaged over its media. A single medium has too few packets for a reliable ratio. */
function lossOf({ audio, video }: LoadFacts['uplink']): number | null {
  const ratios = [audio, video].flatMap((flow) => flow?.packet_loss_ratio ?? [])
  if (ratios.length === 0) return null
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
}

function bitrateOf({ audio, video }: LoadFacts['uplink']): number | null {
  const rates = [audio, video].map((flow) => flow?.bitrate_kbps ?? null)
  if (rates.every((rate) => rate === null)) return null
  return rates.reduce<number>((sum, rate) => sum + (rate ?? 0), 0)
}

/** The cause that kept the sent picture below its intended size for a considerable share of the time; null otherwise. */
function limitationOf(video: Flow | null, measuredSec: number): Limitation {
  const cpuSec = video?.limited_by_cpu_sec ?? 0
  const bandwidthSec = video?.limited_by_bandwidth_sec ?? 0
  if (Math.max(cpuSec, bandwidthSec) < LIMITED_SHARE * measuredSec) return null
  return cpuSec >= bandwidthSec ? 'cpu' : 'bandwidth'
}

interface Step {
  resolution: StreamResolution
  frameRate: StreamFrameRate
  /** The rate that the connection must carry for this step, including the voice. */
  kbps: number
}

/** Best first. */
const STEPS: readonly Step[] = [
  { resolution: '1280x720', frameRate: 30, kbps: 2000 },
  { resolution: '1280x720', frameRate: 15, kbps: 1300 },
  { resolution: '640x480', frameRate: 30, kbps: 900 },
  { resolution: '640x480', frameRate: 15, kbps: 550 },
  { resolution: '320x240', frameRate: 15, kbps: 250 },
  { resolution: '320x240', frameRate: 7, kbps: 150 },
  { resolution: '320x240', frameRate: 1, kbps: 80 },
]

type Recommendation = Pick<
  SummaryFacts['video'],
  'recommended_resolution' | 'recommended_frame_rate'
>

/** The best step that the connection carries. If the processor was the limit, the step does not exceed what it achieved. */
function recommend(
  video: Flow | null,
  uplinkKbps: number | null,
  limitation: Limitation,
): Recommendation {
  const step = STEPS.find(
    ({ resolution, frameRate, kbps }) =>
      uplinkKbps !== null &&
      kbps <= uplinkKbps &&
      (limitation !== 'cpu' ||
        (heightOf(resolution) <= (video?.height ?? 0) && frameRate <= (video?.frame_rate ?? 0))),
  )
  return {
    recommended_resolution: step?.resolution ?? null,
    recommended_frame_rate: step?.frameRate ?? null,
  }
}

function heightOf(resolution: StreamResolution): number {
  return Number(resolution.split('x')[1])
}

type Seen = Pick<SummaryFacts, 'packet_loss_ratio' | 'rtt_ms' | 'jitter_ms' | 'uplink_kbps'> & {
  baseline: BaselineFacts
  limitation: Limitation
}

function warningsOf(seen: Seen): ConnectionWarning[] {
  return WARNINGS.filter((rule) => rule.when(seen)).map(({ warning }) => warning)
}

const WARNINGS: readonly { warning: ConnectionWarning; when(seen: Seen): boolean }[] = [
  { warning: 'relay_only', when: ({ baseline }) => baseline.media.candidate_type === 'relay' },
  {
    warning: 'tcp_only',
    when: ({ baseline }) => ['tcp', 'tls'].includes(baseline.media.protocol ?? ''),
  },
  { warning: 'high_loss', when: (seen) => (seen.packet_loss_ratio ?? 0) > HIGH_LOSS_RATIO },
  { warning: 'high_rtt', when: ({ rtt_ms: rttMs }) => (rttMs ?? 0) > HIGH_RTT_MS },
  { warning: 'high_jitter', when: (seen) => (seen.jitter_ms ?? 0) > HIGH_JITTER_MS },
  { warning: 'low_uplink', when: (seen) => (seen.uplink_kbps ?? Infinity) < LOW_UPLINK_KBPS },
  { warning: 'cpu_limited', when: ({ limitation }) => limitation === 'cpu' },
]
