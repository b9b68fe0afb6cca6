import { RETENTION_DAYS_MAX } from '@interview-room/contract/limits.ts'
import { changeRetention, readRetention } from '../domain/data-protection/change-retention.ts'
import { presentRetention } from '../domain/data-protection/present.ts'
import { inTransaction } from '../platform/db/db.ts'
import { ServiceError } from '../platform/lib/service-error.ts'
import { tenantMustExist } from '../platform/tenants/manage-tenants.ts'
import { CommandError } from './command-error.ts'
import type { Command } from './command.ts'
import { withReplaced } from './with-replaced.ts'

const DAYS = '<days>|none'

/** After how many days the records of a tenant's rooms are deleted. */
export const RETENTION_COMMANDS: Record<string, Command> = {
  show: {
    needs: ['--tenant <id>'],
    summary: 'After how many days the recordings, chat and handouts of a tenant are deleted.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      await tenantMustExist(deps.db, tenantId)
      return presentRetention(deps, await readRetention(deps.db, tenantId))
    },
  },
  set: {
    needs: ['--tenant <id>'],
    takes: [`--recordings <${DAYS}>`, `--chat <${DAYS}>`, `--handouts <${DAYS}>`],
    summary:
      'Delete recordings, chat or handouts so many days after the end of a room, with a notice in the event feed before; none removes a rule.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      const recordings = options.days('recordings', RETENTION_DAYS_MAX)
      const chat = options.days('chat', RETENTION_DAYS_MAX)
      const handouts = options.days('handouts', RETENTION_DAYS_MAX)
      const changes = {
        ...(recordings !== undefined && { recordings }),
        ...(chat !== undefined && { chat }),
        ...(handouts !== undefined && { handouts }),
      }
      await tenantMustExist(deps.db, tenantId)
      const before = await readRetention(deps.db, tenantId)
      const days = await inTransaction(deps.db, (tx) =>
        changeRetention(deps, tx, { tenantId, changes }),
      ).catch(refuseDays)
      return withReplaced(presentRetention(deps, before), presentRetention(deps, days))
    },
  },
}

function refuseDays(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error
  const [detail] = error.details ?? []
  throw new CommandError(`--recordings ${detail?.message ?? error.message}`)
}
