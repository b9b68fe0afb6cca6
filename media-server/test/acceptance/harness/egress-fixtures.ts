import { EgressClient, type EgressInfo, EgressStatus } from 'livekit-server-sdk'
import { until } from './until.ts'
import { test as base } from './webhook-fixtures.ts'

// Composing shares the machine with whatever else is tested on it.
const COMPOSE_TIMEOUT_MS = 300_000

export const test = base
  .extend('egress', { scope: 'file' }, ({ stage }) => {
    return new EgressClient(stage.egressUrl, stage.apiKey, stage.apiSecret)
  })
  .extend('recorded', ({ egress }) => {
    const find = async (egressId: string): Promise<EgressInfo> => {
      const [info] = await egress.listEgress({ egressId })
      if (info === undefined) throw new Error(`no egress ${egressId}`)
      return info
    }
    return {
      /** Waits until the recording is running; answers the time of its beginning. */
      async begun(egressId: string): Promise<number> {
        const info = await until({
          fact: 'the egress is active',
          read: () => find(egressId),
          holds: ({ status }) => status === EgressStatus.EGRESS_ACTIVE,
        })
        return Number((info.fileResults[0]?.startedAt ?? 0n) / 1_000_000n)
      },
      ended: (egressId: string): Promise<EgressInfo> =>
        until({
          fact: 'the egress has ended',
          read: () => find(egressId),
          holds: ({ status }) => status >= EgressStatus.EGRESS_COMPLETE,
          timeoutMs: COMPOSE_TIMEOUT_MS,
        }),
    }
  })

test.beforeEach(({ stage, skip }) => {
  skip(stage.recordingsFolder === null, 'the server under test does not write recordings to here')
})
