import { requestBytes } from '../http-connection.ts'
import { applyLoad, type Rate } from '../load.ts'
import type { Replay } from './floor.ts'
import type { Operation, OperationName } from './operations.ts'
import type { Stage } from './stage.ts'

/** The service's pool of connections has as many. */
const CONNECTIONS = 16

/** Both sides in one round, one right after the other. */
export interface Round {
  service: Rate
  raw: Rate
}

export interface OperationResult {
  name: OperationName
  rounds: Round[]
}

export interface Plan {
  rounds: number
  seconds: number
  /** The service has much more code than the floor, and the compiler is busy with it until then. */
  warmUpSec: number
}

/** Every second round runs backwards, so that drift affects both sides alike. */
export async function takeRounds(
  stage: Stage,
  operation: Operation,
  { rounds, seconds, warmUpSec }: Plan,
): Promise<OperationResult> {
  const service = (sec: number) => loadService(stage, operation, sec)
  const raw = (sec: number) => loadRaw(stage, operation, sec)
  await service(warmUpSec)
  await raw(warmUpSec / 3)
  const taken: Round[] = []
  for (let n = 0; n < rounds; n += 1) {
    const first = n % 2 === 0 ? await service(seconds) : undefined
    const floor = await raw(seconds)
    taken.push({ service: first ?? (await service(seconds)), raw: floor })
  }
  return { name: operation.name, rounds: taken }
}

function loadService({ service }: Stage, { any, status }: Operation, seconds: number) {
  const request = () => requestBytes(any().request)
  return applyLoad({ ...service, request, status, connections: CONNECTIONS, seconds })
}

function loadRaw({ raw }: Stage, { name, any }: Operation, seconds: number) {
  const request = () => {
    const body: Replay = { name, values: any().values }
    return requestBytes({ method: 'POST', path: '/', authorization: 'none', body })
  }
  return applyLoad({ ...raw, request, status: 201, connections: CONNECTIONS, seconds })
}
