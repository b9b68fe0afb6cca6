import type {
  ConnectionTestReport,
  DeviceFacts,
} from '@interview-room/contract/connection-tests.ts'
import type { ConnectionTestFailure } from '@interview-room/contract/vocabulary.ts'
import type { Support } from '../devices/support.ts'
import type { Step } from './plan.ts'
import type { TestFacts } from './test-api.ts'

export type TestState =
  | { phase: 'loading' | 'bad-link' | 'unreachable' | 'elsewhere' }
  | { phase: 'unsupported'; support: Exclude<Support, 'ok'> }
  | { phase: 'intro'; facts: TestFacts; beginning: 'no' | 'asking' | 'failed' }
  | { phase: 'devices'; facts: TestFacts }
  | { phase: 'measuring'; facts: TestFacts; step: Step; share: number }
  /** The result is being sent, or sending it failed. */
  | { phase: 'sending'; report: ConnectionTestReport; hasFailed: boolean }
  | { phase: 'ended'; facts: TestFacts; repeating: 'no' | 'asking' | 'failed' }

/** The report that would be sent if the page closed now. */
export interface PartialResult {
  reason: ConnectionTestFailure
  devices: DeviceFacts | null
}

/** The page state for the status of the service. */
export function stateOf(facts: TestFacts): TestState {
  const isOpen = facts.status === 'pending' || facts.status === 'running'
  return isOpen
    ? { phase: 'intro', facts, beginning: 'no' }
    : { phase: 'ended', facts, repeating: 'no' }
}
