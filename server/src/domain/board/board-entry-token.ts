import { BOARD_ENTRY_TOKEN_LIFE_SEC } from '@interview-room/contract/board.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import {
  bearerOf,
  createSignedTokens,
  isOfType,
  unauthorized,
} from '../../platform/service-keys/signed-tokens.ts'
import type { ParticipantClaims } from '../people/participant-token.ts'
import type { BoardHolder } from './board-holder.ts'
import { findValidBoardToken } from './store.ts'

export interface BoardEntryTokens {
  issue(holder: BoardHolder, roomId: string): Promise<{ token: string; expiresAt: Date }>
  /**
   * The claims of a pass for this room. Returns undefined when the header carries another kind of token. Throws 401
   * UNAUTHORIZED.
   */
  claimsOf(call: {
    authorization: string | undefined
    roomId: string
  }): Promise<ParticipantClaims | undefined>
}

const TYPE = 'room-pass+jwt'

/**
 * Passes with which an operator enters a room from the board. The service issues them with the claims of a participant
 * token. A pass ends with the link of the board that it was made with.
 */
export function createBoardEntryTokens(
  deps: Pick<Deps, 'db' | 'serviceKeys' | 'clock' | 'config'>,
): BoardEntryTokens {
  const { db, clock } = deps
  const tokens = createSignedTokens(deps, TYPE)

  return {
    async issue({ boardTokenId, displayName, expiresAt }, roomId) {
      const leftSec = Math.floor((expiresAt.getTime() - clock().getTime()) / 1000)
      // The page reads the role and the name from it to choose the device check.
      const claims = { room_id: roomId, role: 'platform_observer', name: displayName }
      return tokens.sign(
        { ...claims, jti: uuidv7() },
        {
          subject: boardTokenId,
          lifeSec: Math.max(1, Math.min(BOARD_ENTRY_TOKEN_LIFE_SEC, leftSec)),
        },
      )
    },

    async claimsOf({ authorization, roomId }) {
      const token = bearerOf(authorization)
      if (!isOfType(token, TYPE)) return undefined
      const { sub, jti, ...claims } = await tokens.verify(token)
      const boardToken = await findValidBoardToken(db, { boardTokenId: sub, now: clock() })
      if (boardToken === undefined || claims['room_id'] !== roomId)
        throw unauthorized('the pass is not for this room, or has ended')
      return {
        tenantId: boardToken.tenantId,
        roomId,
        identity: { kind: 'operator', platformUser: boardToken.operator },
        role: 'platform_observer',
        displayName: boardToken.displayName,
        jti: jti ?? null,
      }
    },
  }
}
