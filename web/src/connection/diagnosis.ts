import type { CallEvent, CallState, Stage } from './call-state.ts'
import type { Trouble } from './refusal.ts'

/**
 * A person reads the first diagnosis within 20 s of the press on Join: after this time, and after that of the probe.
 * It is made anew as often.
 */
export const DIAGNOSIS_EVERY_MS = 15_000
export const PROBE_MAX_MS = 3_000

interface DiagnosisTools {
  state: () => CallState
  /** True if something answers a plain request at the address of the media server. */
  answers: () => Promise<boolean>
  apply: (event: CallEvent) => void
}

/** Finds the reason while a person waits for the room and it does not come up. */
export class Diagnosis {
  readonly #tools: DiagnosisTools
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(tools: DiagnosisTools) {
    this.#tools = tools
  }

  follow({ phase }: CallState): void {
    if (phase === 'joining') {
      this.#timer ??= setInterval(() => void this.#diagnose(), DIAGNOSIS_EVERY_MS)
      return
    }
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #diagnose(): Promise<void> {
    const stage = this.#stage()
    if (stage === undefined) return
    const trouble = await this.#troubleAt(stage)
    if (this.#stage() === stage) this.#tools.apply({ type: 'diagnosed', trouble })
  }

  #stage(): Stage | undefined {
    const state = this.#tools.state()
    return state.phase === 'joining' ? state.stage : undefined
  }

  async #troubleAt(stage: Stage): Promise<Trouble> {
    if (stage === 'entering') return 'service'
    if (stage === 'media') return 'media'
    return (await this.#tools.answers()) ? 'sockets' : 'service'
  }
}
