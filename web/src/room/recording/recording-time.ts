import type { ShownRecording } from '@interview-room/contract/live-stream.ts'

/** Whole recorded seconds at `nowMs` of the service's clock, without pauses. */
export function recordedSec(recording: NonNullable<ShownRecording>, nowMs: number): number {
  const { recorded_sec, running_since } = recording
  const runningMs = running_since === null ? 0 : nowMs - Date.parse(running_since)
  // A slow clock must not subtract from the time that is recorded already.
  return Math.floor(recorded_sec + Math.max(0, runningMs) / 1000)
}

/** Seconds until `endMs` at `nowMs`, never below zero. */
export function remainingSec(endMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((endMs - nowMs) / 1000))
}
