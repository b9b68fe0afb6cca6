import type { BaselineFacts, LoadFacts } from '@interview-room/contract/connection-tests.ts'
import type { ConnectionTestFailure } from '@interview-room/contract/vocabulary.ts'
import {
  LineProblem,
  type PictureWish,
  type TestLine,
  type TestMediaAccess,
} from '../connection/test-line.ts'
import { baselineOf, brokenBaseline } from '../measurement/baseline.ts'
import { capacityKbpsOf } from '../measurement/capacity.ts'
import { flowsOf } from '../measurement/flow.ts'
import type { Sample } from '../measurement/sample.ts'
import { countedSecOf } from '../measurement/silence.ts'
import { STEP_MS, type Step } from './plan.ts'
import { RunEnd, SampleKeeper } from './sample-keeper.ts'

/** What the run sends. Generated media, or the person's own in the counted part. */
export interface RunMedia {
  voice: MediaStreamTrack
  /** Together they fill the line, whatever it carries. */
  filling: readonly MediaStreamTrack[]
  /** What an interview would send over a line that carries so much. */
  ordinary(capacityKbps: number | null): PictureWish
  /** The person's own voice, when it is sent in the counted part. */
  ownVoice: MediaStreamTrack | null
}

export interface RunTools {
  line: TestLine
  media: RunMedia
  /** Another page goes on with the test. */
  displaced: AbortSignal
  nowMs: () => number
  wait: (ms: number) => Promise<void>
  onProgress: (step: Step, share: number) => void
}

export type RunResult =
  | {
      status: 'completed'
      baseline: BaselineFacts
      load: LoadFacts
      /** What went up and came back while the line was filled. */
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
  /** Somebody else ended it, or goes on with it. */
  | { status: 'displaced' }
  | { status: 'ended' }

/** Measures the line: as it is, filled, and at what an interview sends. Throws nothing. */
export async function measure(tools: RunTools, access: TestMediaAccess): Promise<RunResult> {
  const keeper = new SampleKeeper(tools)
  let baseline: BaselineFacts | null = null
  try {
    tools.onProgress('connecting', 0)
    const connectedIn = await tools.line.connect(access, tools.media.voice)
    const quiet = await keeper.keep('baseline', STEP_MS.baseline)
    baseline = baselineOf(quiet, connectedIn)
    await tools.line.fillWith(tools.media.filling)
    const capacityKbps = capacityKbpsOf(await keeper.keep('filling', STEP_MS.filling))
    await tools.line.fillWith([])
    await tools.line.sendPicture(tools.media.ordinary(capacityKbps))
    if (tools.media.ownVoice !== null) await tools.line.replaceVoice(tools.media.ownVoice)
    await keeper.keep('settling', STEP_MS.settling)
    const counted = await keeper.keepCounted('counting', STEP_MS.counting)
    const load = { ...flowsOf(counted), available_outgoing_kbps: capacityKbps }
    const measuredSec = countedSecOf(counted)
    return { status: 'completed', baseline, load, capacityKbps, measuredSec, samples: keeper.all }
  } catch (error) {
    return endOf(error, baseline, keeper.all)
  } finally {
    await tools.line.close().catch(() => {})
  }
}

function endOf(
  error: unknown,
  baseline: BaselineFacts | null,
  samples: readonly Sample[],
): RunResult {
  if (error instanceof LineProblem) {
    const broken = brokenBaseline(error.signalingMs)
    return { status: 'failed', reason: error.reason, baseline: broken, samples }
  }
  if (!(error instanceof RunEnd)) return { status: 'failed', reason: 'internal', baseline, samples }
  if (error.how === 'displaced') return { status: 'displaced' }
  if (error.how === 'ended') return { status: 'ended' }
  return { status: 'failed', reason: error.how, baseline, samples }
}
