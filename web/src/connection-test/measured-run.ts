import type { BaselineFacts, LoadFacts } from '@interview-room/contract/connection-tests.ts'
import type { ConnectionTestFailure } from '@interview-room/contract/vocabulary.ts'
import {
  ConnectionProblem,
  type VideoRequest,
  type TestConnection,
  type TestMediaAccess,
} from '../connection/test-connection.ts'
import { baselineOf, brokenBaseline } from '../measurement/baseline.ts'
import { capacityKbpsOf } from '../measurement/capacity.ts'
import { flowsOf, rounded } from '../measurement/flow.ts'
import type { Sample } from '../measurement/sample.ts'
import { countedSecOf } from '../measurement/silence.ts'
import type { Plan, Step } from './plan.ts'
import { cutBy, howEnded, RunEnd, SampleKeeper } from './sample-keeper.ts'

/** The media that the run sends. It is generated, or the person's own in the counted part. */
export interface RunMedia {
  voice: MediaStreamTrack
  /** Together they fill a connection of any capacity. */
  filling: readonly MediaStreamTrack[]
  /** The video settings of an interview on a connection with this capacity. */
  ordinary(capacityKbps: number | null): VideoRequest
  /** The person's own voice, if it is sent in the counted part. */
  ownVoice: MediaStreamTrack | null
}

export interface RunTools {
  line: TestConnection
  media: RunMedia
  plan: Plan
  /** Ends the run immediately: after its time limit (`TimeoutError`), or because another page continues the test. */
  cut: AbortSignal
  nowMs: () => number
  wait: (ms: number) => Promise<void>
  onProgress: (step: Step, share: number) => void
}

export type RunResult =
  | {
      status: 'completed'
      baseline: BaselineFacts
      load: LoadFacts
      /** The bitrate that went to the server and back while the connection was filled. */
      capacityKbps: number | null
      measuredSec: number
      samples: readonly Sample[]
    }
  | {
      status: 'failed'
      reason: ConnectionTestFailure
      baseline: BaselineFacts | null
      samples: readonly Sample[]
    }
  /** Another page ended or continues the test. */
  | { status: 'displaced' }
  | { status: 'ended' }

interface Progress {
  keeper: SampleKeeper
  baseline: BaselineFacts | null
}

/** Measures the connection while idle, while full, and at the load of an interview. Never throws. */
export async function measure(tools: RunTools, access: TestMediaAccess): Promise<RunResult> {
  const progress: Progress = { keeper: new SampleKeeper(tools), baseline: null }
  const isCut = new Promise<never>((_resolve, reject) => {
    tools.cut.addEventListener('abort', () => reject(cutBy(tools.cut)))
  })
  try {
    return await Promise.race([measureAll(tools, access, progress), isCut])
  } catch (error) {
    return endOf(error instanceof Error ? error : new Error('thrown'), tools.line, progress)
  } finally {
    await tools.line.close().catch(() => {})
  }
}

async function measureAll(
  { line, media, onProgress }: RunTools,
  access: TestMediaAccess,
  progress: Progress,
): Promise<RunResult> {
  const { keeper } = progress
  onProgress('connecting', 0)
  const connectedIn = await line.connect(access, media.voice)
  const baseline = baselineOf(await keeper.keep('baseline'), connectedIn)
  progress.baseline = baseline
  await line.fillWith(media.filling)
  const capacityKbps = capacityKbpsOf(await keeper.keep('filling'))
  await line.fillWith([])
  await line.sendVideo(media.ordinary(capacityKbps))
  if (media.ownVoice !== null) await line.replaceVoice(media.ownVoice)
  await keeper.keep('settling')
  const counted = await keeper.keepCounted('counting')
  const measuredSec = countedSecOf(counted)
  const load = {
    ...flowsOf(counted),
    downlink_tcp: await receivedByTcp(line, keeper),
    available_outgoing_kbps: capacityKbps,
  }
  return { status: 'completed', baseline, load, capacityKbps, measuredSec, samples: keeper.all }
}

/** The connection is measured already, so a failure of TCP is one more fact and not a failure of the test. */
async function receivedByTcp(
  line: TestConnection,
  keeper: SampleKeeper,
): Promise<LoadFacts['downlink_tcp']> {
  try {
    const connectMs = await line.receiveByTcp()
    if (connectMs === null) return null
    const { downlink } = flowsOf(await keeper.keep('tcp'))
    return { connected: true, connect_ms: rounded(connectMs, 0), ...downlink }
  } catch (error) {
    const how = error instanceof RunEnd ? error.how : howEnded(line)
    const isConnectionProblem = error instanceof RunEnd || error instanceof ConnectionProblem
    if (!isConnectionProblem) throw error
    if (how !== null && how !== 'media_failed') throw new RunEnd(how)
    return { connected: false, connect_ms: null, audio: null, video: null }
  }
}

function endOf(error: Error, line: TestConnection, { keeper, baseline }: Progress): RunResult {
  const { all: samples } = keeper
  if (error instanceof ConnectionProblem) {
    const broken = brokenBaseline(error.signalingMs)
    return { status: 'failed', reason: error.reason, baseline: broken, samples }
  }
  const how = error instanceof RunEnd ? error.how : howEnded(line)
  if (how === 'displaced') return { status: 'displaced' }
  if (how === 'ended') return { status: 'ended' }
  return { status: 'failed', reason: how ?? 'internal', baseline, samples }
}
