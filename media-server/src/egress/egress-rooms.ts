import type { CaptureSource } from './capture/capture-source.ts'
import type { Selection } from './capture/selection.ts'

/** A room that can be recorded. */
export interface RecordableRoom {
  readonly sid: string
  readonly name: string
  /** Goes in to record: what an egress sees of the room. */
  enter(recorder: { egressId: string; selection: Selection }): CaptureSource
}

/** The rooms in which egresses record. */
export interface EgressRooms {
  /** Undefined: there is no such room. */
  find(name: string): RecordableRoom | undefined | Promise<RecordableRoom | undefined>
  /** Its members are to know that it is recorded, or no longer. */
  markRecorded(name: string, isRecorded: boolean): void
}
