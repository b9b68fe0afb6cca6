import { uuidv7 } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import {
  bearerOf,
  createSignedTokens,
  unauthorized,
} from '../../platform/service-keys/signed-tokens.ts'
import type { BoardHolder } from './board-holder.ts'
import { findLivingLink, insertLink } from './store.ts'

export interface BoardLinks {
  /** @param lifeSec how long the link opens the board. */
  issue(link: NewBoardLink): Promise<{ url: string; expiresAt: Date }>
  /** Throws 401 UNAUTHORIZED unless the header carries a living link. */
  verify(authorization: string | undefined): Promise<BoardHolder>
}

interface NewBoardLink extends Pick<BoardHolder, 'tenantId' | 'operator' | 'displayName'> {
  lifeSec: number
}

const TYPE = 'board-link+jwt'

/** Links that open the board of a tenant: each one is a row, so that it can be ended. */
export function createBoardLinks(
  deps: Pick<Deps, 'db' | 'serviceKeys' | 'clock' | 'config'>,
): BoardLinks {
  const { db, clock, config } = deps
  const tokens = createSignedTokens(deps, TYPE)

  return {
    async issue({ lifeSec, ...whose }) {
      const linkId = uuidv7()
      const { token, expiresAt } = await tokens.sign(
        { tenant: whose.tenantId },
        { subject: linkId, lifeSec },
      )
      await insertLink(db, { ...whose, linkId, expiresAt, createdAt: clock() })
      return { url: `${config.publicUrl}/board#token=${token}`, expiresAt }
    },

    async verify(authorization) {
      const { sub } = await tokens.verify(bearerOf(authorization))
      const link = await findLivingLink(db, { linkId: sub, now: clock() })
      if (link === undefined) throw unauthorized('the link has ended')
      return link
    },
  }
}
