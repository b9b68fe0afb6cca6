import { rotateAccessToken } from '../domain/booking/rotate-access-token.ts'
import { CommandError } from './command-error.ts'
import type { Command } from './command.ts'

export const SESSION_COMMANDS: Record<string, Command> = {
  'rotate-access-token': {
    needs: ['--tenant <id>', '--session <id>'],
    summary: 'Give a session a new access token; the old one admits nobody any more.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const sessionId = options.uuid('session')
      const accessToken = await rotateAccessToken(db, { tenantId, sessionId })
      if (accessToken === undefined) throw new CommandError('the tenant has no such session')
      return { tenant_id: tenantId, session_id: sessionId, access_token: accessToken }
    },
  },
}
