import { reasonOf } from '../lib/log.ts'
import type { ChunkTarget } from './chunk-target.ts'

/** How far the delivery of a capture is, as published in `/health` of a recorder. */
export interface DeliveryReport {
  egressId: string
  /** Seconds of the capture that only this machine has. About the length of a chunk while all is well. */
  undeliveredSec: number
  /** Times in ISO 8601; null before the first. */
  lastDeliveredAt: string | null
  lastRefusedAt: string | null
  /** The storage's or network's last answer, until an object is stored again. */
  refusal: string | null
}

const MS = 1000

/** Notes until when a capture is in the storage, and the storage's answers. */
export class DeliveryProgress {
  #deliveredUntilMs: number | undefined
  #endedAtMs: number | undefined
  #lastDeliveredAtMs: number | undefined
  #lastRefusedAtMs: number | undefined
  #refusal: string | undefined

  /** The capture is in the storage up to this moment, or begins then. */
  reach(untilMs: number): void {
    this.#deliveredUntilMs = Math.max(untilMs, this.#deliveredUntilMs ?? 0)
  }

  /** Nothing is captured any more. */
  end(): void {
    this.#endedAtMs ??= Date.now()
  }

  /** Seconds that are not in the storage; 0 before the capture begins. */
  get undeliveredSec(): number {
    if (this.#deliveredUntilMs === undefined) return 0
    const untilMs = this.#endedAtMs ?? Date.now()
    return Math.max(0, Math.round((untilMs - this.#deliveredUntilMs) / MS))
  }

  /** The storage's last answer if it was an error. */
  get refusal(): string | undefined {
    return this.#refusal
  }

  /** The same target, whose answers are noted. */
  watch(target: ChunkTarget): ChunkTarget {
    return {
      ...target,
      put: async (name, content, signal) => {
        try {
          const address = await target.put(name, content, signal)
          this.#lastDeliveredAtMs = Date.now()
          this.#refusal = undefined
          return address
        } catch (error) {
          if (!signal.aborted) {
            this.#lastRefusedAtMs = Date.now()
            this.#refusal = refusalOf(error)
          }
          throw error
        }
      },
    }
  }

  report(egressId: string): DeliveryReport {
    return {
      egressId,
      undeliveredSec: this.undeliveredSec,
      lastDeliveredAt: isoOf(this.#lastDeliveredAtMs),
      lastRefusedAt: isoOf(this.#lastRefusedAtMs),
      refusal: this.#refusal ?? null,
    }
  }
}

function isoOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

/** Name and status as far as there are any, such as `AccessDenied (403)`. A message may quote the request. */
function refusalOf(error: unknown): string {
  if (!(error instanceof Error)) return reasonOf(error)
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: string }
  const status = $metadata?.httpStatusCode
  return status === undefined ? (code ?? error.name) : `${error.name} (${status})`
}
