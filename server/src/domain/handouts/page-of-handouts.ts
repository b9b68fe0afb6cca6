import type { HandoutBody } from '@interview-room/contract/handouts.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { presentHandout } from './present.ts'
import { type HandoutPosition, listHandouts } from './store.ts'

/** One page of the handouts of a session, by `sort`. */
export function pageOfHandouts(
  deps: Pick<Deps, 'db' | 'paging' | 'storage' | 'clock'>,
  query: { cursor?: string; limit?: number },
  tenantId: string,
  session: { id: string; endsAt: Date; isShown: boolean },
) {
  const sessionId = session.id
  const scope = { list: 'handouts', tenantId, filters: { sessionId } }
  return deps.paging.page<{ position: string; body: HandoutBody }, HandoutBody>(query, scope, {
    async rows({ after, limit }) {
      const place = { after: after === undefined ? undefined : parsePosition(after), limit }
      const handouts = await listHandouts(deps.db, sessionId, place)
      return Promise.all(
        handouts.map(async (handout) => ({
          position: `${handout.sort}:${handout.seq}`,
          body: await presentHandout(deps, handout, session),
        })),
      )
    },
    positionOf: ({ position }) => position,
    present: ({ body }) => body,
  })
}

/** Parses the position of a cursor, which the service has signed. */
function parsePosition(text: string): HandoutPosition {
  const [sort, seq] = text.split(':')
  return { sort: Number(sort), seq: BigInt(seq ?? '0') }
}
