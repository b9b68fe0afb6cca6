import { BOARD_LINK_HOURS } from '@interview-room/contract/board.ts'
import { createBoardTokens } from '../domain/board/board-token.ts'
import { revokeBoardTokens } from '../domain/board/revoke-board-tokens.ts'
import { tenantMustExist } from '../platform/tenants/manage-tenants.ts'
import type { Command } from './command.ts'
import { printable } from './options.ts'

const { min, max, fallback } = BOARD_LINK_HOURS

/** The board: the rooms of a tenant at a glance, for one operator. */
export const BOARD_COMMANDS: Record<string, Command> = {
  'board-link': {
    needs: ['--tenant <id>', '--operator <reference>'],
    takes: ['--name <shown name>', `--hours <${min}..${max}>`],
    summary: `Make a link to the board of a tenant's rooms, for ${fallback} hours by default; shown this once.`,
    usesSecretsKey: true,
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      const operator = printable('operator', options.required('operator'))
      const displayName = printable('name', options.optional('name') ?? operator)
      const lifeSec = options.count('hours', fallback, max) * 60 * 60
      await tenantMustExist(deps.db, tenantId)
      const boardTokens = createBoardTokens(deps)
      const { url, expiresAt } = await boardTokens.issue({
        tenantId,
        operator,
        displayName,
        lifeSec,
      })
      return { tenant_id: tenantId, operator, expires_at: expiresAt.toISOString(), url }
    },
  },
  'end-board-links': {
    needs: ['--tenant <id>', '--operator <reference>'],
    summary: 'End every link of an operator to the board; open boards close within seconds.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      const operator = printable('operator', options.required('operator'))
      await tenantMustExist(deps.db, tenantId)
      return {
        tenant_id: tenantId,
        operator,
        ended: await revokeBoardTokens(deps, { tenantId, operator }),
      }
    },
  },
}
