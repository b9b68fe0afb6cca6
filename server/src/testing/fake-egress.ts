import { randomUUID } from 'node:crypto'
import type { Egress, EgressSpec } from '../platform/ports/egress.ts'
import { type Media, MediaError } from '../platform/ports/media.ts'

/** The egresses of a provider in memory. */
export interface FakeEgress extends Pick<Media, 'startEgress' | 'stopEgress' | 'listEgress'> {
  /** Every egress by its id, with what was asked for. */
  egresses: Map<string, Egress & { spec: EgressSpec }>
  /** The next egress begins, and the answer gets lost. */
  loseNextAnswer(): void
  /** Its worker dies: it stays listed as it was, and a stop of it is never answered. */
  loseWorkerOf(egressId: string): void
  /** What the provider makes of an egress. */
  moveEgress(egressId: string, to: Partial<Egress>): void
  /** Forgets every egress. */
  resetEgresses(): void
}

/** `called` is called on every call, and may break it. */
export function createFakeEgress(called: (call: string) => Promise<void>): FakeEgress {
  const egresses: FakeEgress['egresses'] = new Map()
  const withoutWorker = new Set<string>()
  let isAnswerLost = false

  function moveEgress(egressId: string, to: Partial<Egress>): void {
    const found = egresses.get(egressId)
    if (found === undefined) throw new Error('no such egress')
    egresses.set(egressId, { ...found, ...to })
  }

  return {
    egresses,
    moveEgress,
    loseNextAnswer() {
      isAnswerLost = true
    },
    loseWorkerOf(egressId) {
      withoutWorker.add(egressId)
    },
    resetEgresses() {
      egresses.clear()
      withoutWorker.clear()
      isAnswerLost = false
    },

    async startEgress(spec) {
      await called(`startEgress ${spec.mediaRoom}`)
      const egress = newEgress(spec)
      egresses.set(egress.egressId, { ...egress, spec })
      if (!isAnswerLost) return egress
      isAnswerLost = false
      throw new MediaError('no answer')
    },

    async stopEgress(egressId) {
      await called(`stopEgress ${egressId}`)
      if (withoutWorker.has(egressId)) throw new MediaError('deadline_exceeded 408')
      const status = egresses.get(egressId)?.status
      if (status === 'starting' || status === 'active') moveEgress(egressId, { status: 'ending' })
    },

    async listEgress(mediaRoom) {
      await called(`listEgress ${mediaRoom}`)
      return [...egresses.values()].filter((each) => each.mediaRoom === mediaRoom)
    },
  }
}

function newEgress({ mediaRoom, output }: EgressSpec): Egress {
  return {
    egressId: `EG_${randomUUID().slice(0, 12)}`,
    mediaRoom,
    status: 'starting',
    outputPath: output.kind === 'file' ? output.path : output.key,
    startedAt: null,
    endedAt: null,
    updatedAt: null,
    file: null,
    writtenBytes: null,
    hasUploadFailed: false,
  }
}
