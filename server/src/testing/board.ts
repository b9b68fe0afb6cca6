import type { BoardEvents } from '@interview-room/contract/board.ts'
import { type BoardTokens, createBoardTokens } from '../domain/board/board-token.ts'
import type { ControlPlane } from './control-plane.ts'
import { type LiveRooms, openReader } from './live-room.ts'
import { type Answer, toAnswer } from './tenant-client.ts'
import { waitFor } from './wait-for.ts'

interface BoardReader {
  /** Waits for an event of this name for which it holds. */
  wait<N extends keyof BoardEvents>(
    name: N,
    holds?: (data: BoardEvents[N]) => boolean,
  ): Promise<BoardEvents[N]>
  hasEnded(): boolean
  close(): void
}

/** An operator in front of the board of a tenant. */
export interface TestOperator {
  token: string
  get(path: string): Promise<Answer>
  post(path: string): Promise<Answer>
  listen(live: LiveRooms): Promise<BoardReader>
}

export async function operatorOf(
  plane: ControlPlane,
  {
    tenantId = plane.tenant.tenantId,
    operator = 'op-1',
    lifeSec = 3600,
  }: Partial<Parameters<BoardTokens['issue']>[0]> = {},
): Promise<TestOperator> {
  const boardTokens = createBoardTokens(plane.deps)
  const { url } = await boardTokens.issue({ tenantId, operator, displayName: 'Operator', lifeSec })
  const token = url.split('#token=')[1] ?? ''
  const headers = { authorization: `Bearer ${token}` }
  const call = async (method: 'GET' | 'POST', path: string) =>
    toAnswer(await plane.app.inject({ method, url: `/api/v1/board${path}`, headers }))
  return {
    token,
    get: (path) => call('GET', path),
    post: (path) => call('POST', path),
    listen: async (live) => readerOf(`${live.origin}/api/v1/board/stream`, headers),
  }
}

async function readerOf(url: string, headers: Record<string, string>): Promise<BoardReader> {
  const reader = await openReader(url, headers)
  // The names are those of another stream.
  const events: { name: string; data: unknown }[] = reader.events
  return {
    hasEnded: reader.hasEnded,
    close: () => reader.close(),
    async wait<N extends keyof BoardEvents>(name: N, holds = (_data: BoardEvents[N]) => true) {
      const find = () =>
        events
          .filter((each) => each.name === name)
          .map(({ data }) => data as BoardEvents[N])
          .find((data) => holds(data))
      await waitFor(() => find() !== undefined)
      return find()!
    },
  }
}
