import { uuidv7 } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import {
  bearerOf,
  createSignedTokens,
  unauthorized,
} from '../../platform/service-keys/signed-tokens.ts'
import type { BoardHolder } from './board-holder.ts'
import { findValidBoardToken, insertBoardToken } from './store.ts'

export interface BoardTokens {
  /** @param lifeSec validity of the link, in seconds. */
  issue(boardToken: NewBoardToken): Promise<{ url: string; expiresAt: Date }>
  /** Throws 401 UNAUTHORIZED unless the header carries a valid link. */
  verify(authorization: string | undefined): Promise<BoardHolder>
}

interface NewBoardToken extends Pick<BoardHolder, 'tenantId' | 'operator' | 'displayName'> {
  lifeSec: number
}

const TYPE = 'board-link+jwt'

/** Links that open the board of a tenant. Each link is a row, so that it can be revoked. */
export function createBoardTokens(
  deps: Pick<Deps, 'db' | 'serviceKeys' | 'clock' | 'config'>,
): BoardTokens {
  const { db, clock, config } = deps
  const tokens = createSignedTokens(deps, TYPE)

  return {
    async issue({ lifeSec, ...whose }) {
      const boardTokenId = uuidv7()
      const { token, expiresAt } = await tokens.sign(
        { tenant: whose.tenantId },
        { subject: boardTokenId, lifeSec },
      )
      await insertBoardToken(db, { ...whose, boardTokenId, expiresAt, createdAt: clock() })
      return { url: `${config.publicUrl}/board#token=${token}`, expiresAt }
    },

    async verify(authorization) {
      const { sub } = await tokens.verify(bearerOf(authorization))
      const boardToken = await findValidBoardToken(db, { boardTokenId: sub, now: clock() })
      if (boardToken === undefined) throw unauthorized('the link has ended')
      return boardToken
    },
  }
}
