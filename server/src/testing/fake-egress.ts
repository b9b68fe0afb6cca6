import { randomUUID } from 'node:crypto'
import type { Egress, EgressList, EgressSpec, ListedEgress } from '../platform/ports/egress.ts'
import { type Media, MediaError } from '../platform/ports/media.ts'

type EgressCalls = Pick<
  Media,
  'recordersInTurn' | 'startEgress' | 'stopEgress' | 'listEgress' | 'listRunning' | 'isReachable'
>

/**
 * silent: it answers nothing, and does nothing. gone: no connection is accepted. full: it starts nothing, but
 * answers everything else.
 */
type RecorderFault = 'silent' | 'gone' | 'full'

/** The egresses of a provider in memory. */
export interface FakeEgress extends EgressCalls {
  /** The configured recorders, in the order in which they are tried; one unless a test says otherwise. */
  recorders: string[]
  /** The faults of the recorders, by address. */
  faults: Map<string, RecorderFault>
  /** Every egress by its id, with its order. */
  egresses: Map<string, ListedEgress & { spec: EgressSpec }>
  /** The next egress starts, but its answer is lost. */
  loseNextAnswer(): void
  /** The egress's worker dies: it stays listed as it was, and a stop of it is never answered. */
  loseWorkerOf(egressId: string): void
  /** Changes the state of an egress, as the provider would. */
  moveEgress(egressId: string, to: Partial<Egress>): void
  /** Forgets every egress. */
  resetEgresses(): void
}

const RECORDER = 'http://recorder.test'

/** `called` runs on every call, and may make it fail. */
export function createFakeEgress(called: (call: string) => Promise<void>): FakeEgress {
  const egresses: FakeEgress['egresses'] = new Map()
  const recorders = [RECORDER]
  const faults: FakeEgress['faults'] = new Map()
  const withoutWorker = new Set<string>()
  let isAnswerLost = false

  function moveEgress(egressId: string, to: Partial<Egress>): void {
    const found = egresses.get(egressId)
    if (found === undefined) throw new Error('no such egress')
    egresses.set(egressId, { ...found, ...to })
  }

  const fake: FakeEgress = {
    egresses,
    recorders,
    faults,
    moveEgress,
    loseNextAnswer() {
      isAnswerLost = true
    },
    loseWorkerOf(egressId) {
      withoutWorker.add(egressId)
    },
    resetEgresses() {
      egresses.clear()
      faults.clear()
      recorders.splice(0, recorders.length, RECORDER)
      withoutWorker.clear()
      isAnswerLost = false
    },

    recordersInTurn: async () => [...recorders],

    async startEgress(spec) {
      await called(`startEgress ${spec.mediaRoom}`)
      refuse(faults.get(spec.recorder))
      const egress = newEgress(spec)
      egresses.set(egress.egressId, { ...egress, spec })
      if (!isAnswerLost) return { ...egress, clockOffsetMs: null }
      isAnswerLost = false
      throw new MediaError('no answer')
    },

    async stopEgress({ egressId, recorder }) {
      await called(`stopEgress ${egressId}`)
      if (withoutWorker.has(egressId)) throw new MediaError('deadline_exceeded 408')
      if (!answers({ faults }, recorder ?? '')) throw new MediaError('timed out')
      const isConfigured = recorder === null || recorders.includes(recorder)
      if (!isConfigured) throw new MediaError('the recorder of this egress is not configured')
      const egress = egresses.get(egressId)
      // Another recorder does not know it.
      const status = recorder === null || egress?.recorder === recorder ? egress?.status : undefined
      if (status === 'starting' || status === 'active') moveEgress(egressId, { status: 'ending' })
    },

    ...listCalls(called, { egresses, recorders, faults }),
  }
  return fake
}

const RUNNING: readonly Egress['status'][] = ['starting', 'active', 'ending']

function answers({ faults }: Pick<RecorderState, 'faults'>, recorder: string): boolean {
  const fault = faults.get(recorder)
  return fault !== 'silent' && fault !== 'gone'
}

function listCalls(
  called: (call: string) => Promise<void>,
  state: RecorderState,
): Pick<EgressCalls, 'listEgress' | 'listRunning' | 'isReachable'> {
  const { egresses, recorders, faults } = state
  return {
    async listEgress(mediaRoom, owners) {
      await called(`listEgress ${mediaRoom}`)
      return listOf(state, mediaRoom, owners)
    },

    async listRunning(recorder) {
      await called(`listRunning ${recorder}`)
      if (!recorders.includes(recorder)) throw new MediaError('not configured')
      if (!answers(state, recorder)) throw new MediaError('timed out')
      const running = [...egresses.values()].filter(
        (each) => each.recorder === recorder && RUNNING.includes(each.status),
      )
      return new Map(
        running.map(({ egressId, writtenBytes, lacks }) => [egressId, { writtenBytes, lacks }]),
      )
    },

    async isReachable(recorder) {
      await called(`isReachable ${recorder}`)
      return faults.get(recorder) !== 'gone'
    },
  }
}

function refuse(fault: RecorderFault | undefined): void {
  if (fault === 'silent') throw new MediaError('timed out')
  if (fault === 'gone') throw new MediaError('ECONNREFUSED', { hasNoEffect: true })
  if (fault === 'full') throw new MediaError('resource_exhausted 429', { hasNoEffect: true })
}

type RecorderState = Pick<FakeEgress, 'egresses' | 'recorders' | 'faults'>

function listOf(
  state: RecorderState,
  mediaRoom: string,
  owners: readonly (string | null)[],
): EgressList {
  const { egresses, recorders } = state
  const answering = recorders.filter((each) => answers(state, each))
  if (answering.length === 0) throw new MediaError('timed out')
  const isSilent = (owner: string | null) =>
    owner !== null && recorders.includes(owner)
      ? !answering.includes(owner)
      : answering.length < recorders.length
  return {
    egresses: [...egresses.values()].filter(
      (each) => each.mediaRoom === mediaRoom && answering.includes(each.recorder),
    ),
    silent: new Set(owners.filter((each) => isSilent(each))),
  }
}

function newEgress({ mediaRoom, recorder, output }: EgressSpec): ListedEgress {
  return {
    egressId: `EG_${randomUUID().slice(0, 12)}`,
    mediaRoom,
    recorder,
    status: 'starting',
    outputPath: output.kind === 'file' ? output.path : output.key,
    startedAt: null,
    endedAt: null,
    updatedAt: null,
    file: null,
    writtenBytes: null,
    lacks: [],
    hasUploadFailed: false,
    hasRecorderFailed: false,
  }
}
