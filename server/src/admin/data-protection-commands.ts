import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { EXTERNAL_REF_MAX, LEGAL_HOLD_REASON_MAX } from '@interview-room/contract/limits.ts'
import { dataSubjectOf } from '../domain/data-protection/data-subject.ts'
import type { DataSubject } from '../domain/data-protection/erasure.ts'
import { exportDataSubject } from '../domain/data-protection/export-data-subject.ts'
import { listHolds, placeHold, releaseHold } from '../domain/data-protection/manage-holds.ts'
import { presentErasure, presentHold, presentPreview } from '../domain/data-protection/present.ts'
import {
  findErasure,
  listErasures,
  previewErasure,
  requestErasure,
} from '../domain/data-protection/request-erasure.ts'
import { inTransaction } from '../platform/db/db.ts'
import { ServiceError } from '../platform/lib/service-error.ts'
import { tenantMustExist } from '../platform/tenants/manage-tenants.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { Command } from './command.ts'
import type { Options } from './options.ts'

const LIMIT_DEFAULT = 50
const STDOUT = '-'
const PERSON = ['--external-type <type>', '--external-id <id>'] as const

/** Erasures of people. */
export const DATA_SUBJECT_COMMANDS: Record<string, Command> = {
  erase: {
    needs: ['--tenant <id>', ...PERSON],
    takes: ['--keep-recordings', '--dry-run'],
    summary:
      'Erase a person from all rooms of a tenant, in the background (once at a time); or only count.',
    usesSecretsKey: true,
    async run(deps, options) {
      const subject = personOf(options)
      await tenantMustExist(deps.db, subject.tenantId)
      const recordings = options.flag('keep-recordings') ? 'keep' : 'delete'
      if (options.flag('dry-run')) {
        return presentPreview(await previewErasure(deps, { ...subject, recordings }))
      }
      const order = { ...subject, recordings, requestedBy: 'operator' } as const
      const erasure = await inTransaction(deps.db, (tx) => requestErasure(deps, tx, order)).catch(
        refuseRecordings,
      )
      return presentErasure(erasure)
    },
  },
  export: {
    needs: ['--tenant <id>', ...PERSON, '--out <file or ->'],
    summary:
      'Write what is stored of a person, from all rooms of a tenant, into a new file, or to standard output (JSON).',
    usesSecretsKey: true,
    async run(deps, options, write) {
      const subject = personOf(options)
      const file = options.required('out')
      await tenantMustExist(deps.db, subject.tenantId)
      const items = await exportDataSubject(deps, subject)
      if (items.length === 0) throw new CommandError('nothing is stored of this person')
      // The answer of the API, with everything on one page.
      const exported = { items, next_cursor: null, has_more: false }
      const content = `${JSON.stringify(exported, null, 2)}\n`
      if (file === STDOUT) write(content)
      else await writeNewFile(file, content)
      return { file: file === STDOUT ? file : path.resolve(file), rooms: items.length }
    },
  },
  erasures: {
    needs: ['--tenant <id>'],
    takes: ['--limit <n>'],
    summary: 'The latest erasures of a tenant, the newest first; they name nobody.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      await tenantMustExist(db, tenantId)
      const limit = options.count('limit', LIMIT_DEFAULT)
      const page = { tenantId, subject: undefined, after: undefined, limit }
      return (await listErasures(db, page)).slice(0, limit).map(presentErasure)
    },
  },
  show: {
    needs: ['--erasure <id>'],
    summary: 'How far an erasure is, with its receipt.',
    async run({ db }, options) {
      const id = options.uuid('erasure')
      const erasure = await findErasure(db, id)
      if (erasure === undefined) throw new CommandError(`there is no erasure ${id}`)
      return presentErasure(erasure)
    },
  },
}

export const LEGAL_HOLD_COMMANDS: Record<string, Command> = {
  place: {
    needs: ['--tenant <id>', '--reason <text>'],
    takes: ['--room <id>', ...PERSON],
    summary: 'Hold a room, or every room of a person: no erasure and no retention deletes it.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      const reason = options.required('reason')
      if (reason.length > LEGAL_HOLD_REASON_MAX) {
        throw new UsageError(`--reason must be at most ${LEGAL_HOLD_REASON_MAX} characters`)
      }
      const held = heldBy(options)
      await tenantMustExist(deps.db, tenantId)
      const hold = await inTransaction(deps.db, (tx) =>
        placeHold(deps, tx, { tenantId, reason, ...held }),
      ).catch(refuseRoom)
      return presentHold(hold)
    },
  },
  list: {
    needs: ['--tenant <id>'],
    takes: ['--limit <n>'],
    summary: 'The legal holds of a tenant, the oldest first.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      await tenantMustExist(db, tenantId)
      const limit = options.count('limit', LIMIT_DEFAULT)
      return (await listHolds(db, { tenantId, after: undefined, limit }))
        .slice(0, limit)
        .map(presentHold)
    },
  },
  release: {
    needs: ['--tenant <id>', '--hold <id>'],
    summary: 'Release a hold; the erasures that it blocked continue.',
    async run({ db }, options) {
      const key = { tenantId: options.uuid('tenant'), id: options.uuid('hold') }
      if (!(await inTransaction(db, (tx) => releaseHold(tx, key)))) {
        throw new CommandError(`the tenant has no legal hold ${key.id}`)
      }
      return { legal_hold_id: key.id, released: true }
    },
  },
}

function personOf(options: Options): DataSubject {
  const given = {
    external_type: options.required('external-type'),
    external_id: options.required('external-id'),
  }
  for (const [name, value] of Object.entries(given)) {
    if (value.length <= EXTERNAL_REF_MAX) continue
    throw new UsageError(
      `--${name.replace('_', '-')} must be at most ${EXTERNAL_REF_MAX} characters`,
    )
  }
  return dataSubjectOf(options.uuid('tenant'), given)
}

/** Writes a file for its owner only, and never over another one, which may be the only copy of somebody's data. */
async function writeNewFile(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error))
  }
}

function heldBy(options: Options) {
  const isRoom = options.optional('room') !== undefined
  const isPerson =
    options.optional('external-type') !== undefined || options.optional('external-id') !== undefined
  if (isRoom === isPerson) {
    throw new UsageError('give either --room, or --external-type and --external-id')
  }
  if (isRoom) return { roomId: options.uuid('room'), externalType: null, externalId: null }
  const { externalType, externalId } = personOf(options)
  return { roomId: null, externalType, externalId }
}

function refuseRecordings(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error
  throw new CommandError(`recordings ${error.details?.[0]?.message}`)
}

function refuseRoom(error: unknown): never {
  if (error instanceof ServiceError) throw new CommandError('the tenant has no such room')
  throw error
}
