import type {
  ConnectionTestReport,
  DeviceFacts,
} from '@interview-room/contract/connection-tests.ts'
import type { CONNECTION_TEST_SAMPLES_MAX } from '@interview-room/contract/limits.ts'
import { keptSampleOf, thinned } from '../measurement/kept-sample.ts'
import type { RunResult } from './measured-run.ts'
import type { PartialResult } from './test-state.ts'

/** The contract's own constant. Importing it as a value would load the schema library, too. */
const SAMPLES_MAX: typeof CONNECTION_TEST_SAMPLES_MAX = 120

export function failedReport({ reason, devices }: PartialResult): ConnectionTestReport {
  return {
    status: 'failed',
    failure_reason: reason,
    ...(devices === null ? {} : { devices }),
  }
}

/** Translates the result of a run into the words of the contract. */
export function reportOf(
  result: Extract<RunResult, { status: 'completed' | 'failed' }>,
  devices: DeviceFacts,
): ConnectionTestReport {
  const samples = thinned(result.samples, SAMPLES_MAX).map(keptSampleOf)
  if (result.status === 'failed') {
    const { reason, baseline } = result
    const known = baseline === null ? {} : { baseline }
    return { ...failedReport({ reason, devices }), ...known, samples }
  }
  return {
    status: 'completed',
    devices,
    baseline: result.baseline,
    load: result.load,
    measured_sec: Number(result.measuredSec.toFixed(1)),
    incoming_capacity_kbps: result.capacityKbps,
    samples,
  }
}
