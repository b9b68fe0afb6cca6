import { TwirpError } from '../../src/api/twirp.ts'
import type { RecordableRoom } from '../../src/egress/egress-rooms.ts'
import type { Egress, EgressContext } from '../../src/egress/egress.ts'
import { Egresses, type EgressesDeps, type EgressOptions } from '../../src/egress/egresses.ts'
import type { EgressJob } from '../../src/egress/job.ts'
import type { EgressRequest } from '../../src/egress/read-request.ts'
import type { StoredEgress } from '../../src/egress/work-folder.ts'
import type { EgressFault, Faults } from './faults.ts'
import { FaultyEgress } from './faulty-egress.ts'

/** Egresses of which the next ones fail as they are asked to. */
export class FaultyEgresses extends Egresses {
  readonly #faults: Faults
  readonly #faultOf = new WeakMap<EgressJob, EgressFault>()

  constructor(options: EgressOptions, deps: EgressesDeps, faults: Faults) {
    super(options, deps)
    this.#faults = faults
  }

  override async start(room: RecordableRoom, request: EgressRequest, job: EgressJob) {
    const fault = this.#faults.takeEgress()
    if (fault?.kind === 'refuse_start') {
      throw new TwirpError('unavailable', 'no response from servers')
    }
    if (fault !== undefined) this.#faultOf.set(job, fault)
    return super.start(room, request, job)
  }

  /** Throws 408 for an egress whose worker does not answer. */
  override find(egressId: string): Egress | undefined {
    const egress = super.find(egressId)
    if (egress instanceof FaultyEgress && egress.ignoresCall()) {
      throw new TwirpError('deadline_exceeded', 'request timed out')
    }
    return egress
  }

  protected override newEgress(stored: StoredEgress, context: EgressContext): Egress {
    const fault = this.#faultOf.get(stored.job)
    if (fault === undefined) return super.newEgress(stored, context)
    return new FaultyEgress(stored, context, fault)
  }
}
