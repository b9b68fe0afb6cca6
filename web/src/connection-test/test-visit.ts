import type {
  ClientFacts,
  ConnectionTestReport,
  DeviceFacts,
} from '@interview-room/contract/connection-tests.ts'
import type { ConnectionTestFailure } from '@interview-room/contract/vocabulary.ts'
import type { TestMediaAccess } from '../connection/test-connection.ts'
import type { Support } from '../devices/support.ts'
import type { RunResult } from './measured-run.ts'
import type { OtherPages } from './other-pages.ts'
import type { Step } from './plan.ts'
import { failedReport, reportOf } from './report.ts'
import type { TestApi, TestFacts } from './test-api.ts'
import { type PartialResult, stateOf, type TestState } from './test-state.ts'

const SIGN_OF_LIFE_EVERY_MS = 60_000
const SEND_TRIES = 5
const RESEND_AFTER_MS = 2_000

/** The person's own media, if the test is recorded. */
export interface OwnMedia {
  voice: MediaStreamTrack
  picture: MediaStreamTrack | null
}

export interface Run {
  facts: TestFacts
  own: OwnMedia | null
  access: TestMediaAccess
  /** Another page continues the test. */
  displaced: AbortSignal
  onProgress: (step: Step, share: number) => void
}

export interface VisitTools {
  api: TestApi
  support: Support
  otherPages: OtherPages
  clientFacts(): Promise<Partial<ClientFacts>>
  measure(run: Run): Promise<RunResult>
  wait: (ms: number) => Promise<void>
  goTo(address: string): void
}

const UNEXPECTED = {
  status: 'failed',
  reason: 'internal',
  baseline: null,
  samples: [],
} as const satisfies RunResult

/** One person's visit to a test: its state outside of the view, and the effects that go with it. */
export class TestVisit {
  readonly #tools: VisitTools
  readonly #listeners = new Set<() => void>()
  #state: TestState = { phase: 'loading' }
  #standing: PartialResult = { reason: 'aborted_by_user', devices: null }
  #signsOfLife: ReturnType<typeof setInterval> | undefined
  readonly #displaced = new AbortController()

  constructor(tools: VisitTools) {
    this.#tools = tools
    tools.otherPages.listen(() => this.#yield())
  }

  readonly getState = (): TestState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads the current state of the test and returns it, too. */
  async load(): Promise<TestFacts | undefined> {
    const answer = await this.#tools.api.look()
    if (!answer.ok) {
      const isUnknown = ['UNAUTHORIZED', 'NOT_FOUND', 'INVALID_REQUEST'].includes(answer.code)
      this.#set({ phase: isUnknown ? 'bad-link' : 'unreachable' })
      return undefined
    }
    const state = stateOf(answer.data)
    this.#set(state)
    if (state.phase === 'intro') await this.#refuseBrowser()
    return answer.data
  }

  /** The person agrees, and the test starts. */
  async begin(): Promise<void> {
    if (this.#state.phase !== 'intro') return
    const { facts } = this.#state
    this.#set({ phase: 'intro', facts, beginning: 'asking' })
    const access = await this.#connected()
    if (access === 'over') return void (await this.load())
    if (access === 'unreachable') return this.#set({ phase: 'intro', facts, beginning: 'failed' })
    this.#signsOfLife = setInterval(() => void this.#stayAlive(), SIGN_OF_LIFE_EVERY_MS)
    this.#tools.otherPages.announce()
    this.#set({ phase: 'devices', facts })
  }

  /** Records the current result of the device check, for a report if the page closes. */
  noteDevices(devices: DeviceFacts, failure: ConnectionTestFailure | null): void {
    this.#standing = { reason: failure ?? 'aborted_by_user', devices }
  }

  /** Measures the connection after a successful device check. Stops the person's own media in every case. */
  async measure(devices: DeviceFacts, own: OwnMedia | null): Promise<void> {
    const result = await this.#run(devices, own).finally(() => {
      own?.voice.stop()
      own?.picture?.stop()
    })
    if (result?.status === 'displaced') return this.#set({ phase: 'elsewhere' })
    if (result?.status === 'ended') return void (await this.load())
    if (result !== undefined) await this.#report(reportOf(result, devices))
  }

  /** Undefined if no device check is running. */
  async #run(devices: DeviceFacts, own: OwnMedia | null): Promise<RunResult | undefined> {
    if (this.#state.phase !== 'devices') return undefined
    const { facts } = this.#state
    const displaced = this.#displaced.signal
    this.#standing = { reason: 'aborted_by_user', devices }
    const onProgress = (step: Step, share: number) => {
      if (!displaced.aborted) this.#set({ phase: 'measuring', facts, step, share })
    }
    onProgress('connecting', 0)
    const access = await this.#connected()
    if (access === 'over') return { status: 'ended' }
    if (access === 'unreachable') return { ...UNEXPECTED, reason: 'signaling_failed' }
    return (
      this.#tools
        .measure({ facts, own, access, onProgress, displaced })
        // If the browser fails in an unexpected way, the person must not wait forever.
        .catch(() => UNEXPECTED)
    )
  }

  /** The person ends the test, or cannot solve a problem. */
  async giveUp(): Promise<void> {
    if (this.#state.phase === 'devices') await this.#report(failedReport(this.#standing))
  }

  /** Retries a failed report. */
  async resend(): Promise<void> {
    if (this.#state.phase === 'sending') await this.#report(this.#state.report)
  }

  /** Called when the page closes. */
  leave(): void {
    const { phase } = this.#state
    if (phase === 'devices' || phase === 'measuring') {
      this.#tools.api.reportLeaving(failedReport(this.#standing))
    }
    if (phase === 'sending') {
      // Browsers limit the size of a report from a closing page.
      const { samples: _dropped, ...report } = this.#state.report
      this.#tools.api.reportLeaving(report)
    }
  }

  /** Starts a new test for the same person. */
  async repeat(): Promise<void> {
    if (this.#state.phase !== 'ended') return
    const { facts } = this.#state
    this.#set({ phase: 'ended', facts, repeating: 'asking' })
    const answer = await this.#tools.api.repeat()
    if (answer.ok) return this.#tools.goTo(answer.data.connect_url)
    this.#set({ phase: 'ended', facts, repeating: 'failed' })
  }

  /**
   * An unsupported browser is a result that the tenant wants to know. In an app's built-in browser or under an
   * insecure address, the same link works once it is opened properly, so the test keeps waiting.
   */
  async #refuseBrowser(): Promise<void> {
    const { support } = this.#tools
    if (support === 'ok') return
    this.#set({ phase: 'unsupported', support })
    if (support !== 'too-old') return
    const access = await this.#connected()
    if (access === 'over' || access === 'unreachable') return
    await this.#tools.api.report({ status: 'failed', failure_reason: 'unsupported_browser' })
  }

  /** Another page of this browser continues the test. This one only shows that. */
  #yield(): void {
    const { phase } = this.#state
    if (phase !== 'devices' && phase !== 'measuring') return
    this.#displaced.abort()
    this.#set({ phase: 'elsewhere' })
  }

  async #stayAlive(): Promise<void> {
    const access = await this.#connected()
    if (access === 'over' && this.#state.phase === 'devices') await this.load()
  }

  async #connected(): Promise<TestMediaAccess | 'over' | 'unreachable'> {
    const answer = await this.#tools.api.connected(await this.#tools.clientFacts())
    if (answer.ok) return answer.data.media
    return answer.code === 'VALIDATION_ERROR' ? 'over' : 'unreachable'
  }

  async #report(report: ConnectionTestReport): Promise<void> {
    this.#set({ phase: 'sending', report, hasFailed: false })
    for (let turn = 1; turn <= SEND_TRIES; turn += 1) {
      const answer = await this.#tools.api.report(report)
      // The test is over already. Show the service's state.
      if (answer.ok || answer.code === 'VALIDATION_ERROR') return void (await this.load())
      if (turn < SEND_TRIES) await this.#tools.wait(RESEND_AFTER_MS)
    }
    this.#set({ phase: 'sending', report, hasFailed: true })
  }

  #set(state: TestState): void {
    if (!['devices', 'measuring'].includes(state.phase)) clearInterval(this.#signsOfLife)
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
