import {
  API_KEY_OVERLAP_DEFAULT_SEC,
  API_KEY_OVERLAP_MAX_SEC,
} from '@interview-room/contract/limits.ts'
import { TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'
import { API_KEY_SCOPES } from '@interview-room/contract/management.ts'
import { LIVE_TEXT_AUDIENCES, TRANSCRIPTION_ENGINES } from '@interview-room/contract/vocabulary.ts'
import { changeLiveText } from '../domain/recording/live-text/change-live-text.ts'
import { GUEST_KINDS } from '../platform/ports/media.ts'
import { createTenant } from '../platform/tenants/create-tenant.ts'
import { setFrameAncestors } from '../platform/tenants/frame-ancestors.ts'
import { setGuestKinds } from '../platform/tenants/guest-kinds.ts'
import { issueApiKey } from '../platform/tenants/issue-api-key.ts'
import {
  listTenantKeys,
  listTenantsOf,
  revokeApiKey,
  tenantMustExist,
} from '../platform/tenants/manage-tenants.ts'
import { rotateApiKey } from '../platform/tenants/rotate-api-key.ts'
import type { LiveTextSetting } from '../platform/tenants/store.ts'
import { setTranscriptionFailover } from '../platform/tenants/transcription-failover.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { AdminDeps, Command } from './command.ts'
import { type Options, printable } from './options.ts'
import { withReplaced } from './with-replaced.ts'

const HOUR_SEC = 3600
/** How long a rotated key stays valid beside the new one. */
const OVERLAP_HOURS = API_KEY_OVERLAP_DEFAULT_SEC / HOUR_SEC
const OVERLAP_HOURS_MAX = API_KEY_OVERLAP_MAX_SEC / HOUR_SEC

export const TENANT_COMMANDS: Record<string, Command> = {
  create: {
    needs: ['--name <text>'],
    takes: ['--sandbox'],
    summary: 'Make a tenant; a sandbox has simulated people, media and engines, permanently.',
    async run({ db }, options) {
      const name = printable('name', options.required('name'))
      const isSandbox = options.flag('sandbox')
      const { id } = await createTenant(db, { name, isSandbox })
      return { tenant_id: id, name, is_sandbox: isSandbox }
    },
  },
  frame: {
    needs: ['--tenant <id>'],
    takes: ['--origin <address...>'],
    summary: 'Let the pages of these origins show its rooms in a frame; without one, nobody.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const wanted = { tenantId, origins: options.texts('origin') }
      const { origins, replaced } = await setFrameAncestors({ db }, wanted)
      return withReplaced(
        { tenant_id: tenantId, frame_ancestors: replaced },
        { tenant_id: tenantId, frame_ancestors: origins },
      )
    },
  },
  guests: {
    needs: ['--tenant <id>'],
    takes: ['--kind <agent|sip|ingress|connector...>'],
    summary: 'Let LiveKit participants of these kinds into its rooms; without one, nobody.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const kinds = options.words('kind', GUEST_KINDS) ?? []
      const { before } = await setGuestKinds(db, { tenantId, kinds })
      return withReplaced(
        { tenant_id: tenantId, guest_kinds: before },
        { tenant_id: tenantId, guest_kinds: kinds },
      )
    },
  },
  failover: {
    needs: ['--tenant <id>'],
    takes: ['--engine <engine_a|...|engine_e...>'],
    summary:
      'Let transcriptions try these engines, in this order, when the engine of the room cannot; without one, none.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const engines = options.words('engine', TRANSCRIPTION_ENGINES) ?? []
      if (engines.length < options.texts('engine').length) {
        throw new CommandError('--engine must not name an engine twice')
      }
      const { before } = await setTranscriptionFailover(db, { tenantId, engines })
      return withReplaced(
        { tenant_id: tenantId, transcription_failover: before },
        { tenant_id: tenantId, transcription_failover: engines },
      )
    },
  },
  'live-text': {
    needs: ['--tenant <id>', '--for <off|staff|everyone>'],
    takes: ['--translate-to <language>'],
    summary: 'Who may at most read in its rooms what is said while it is said; by default nobody.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const audience = options.word('for', LIVE_TEXT_AUDIENCES)
      if (audience === undefined) throw new UsageError('--for is required')
      const translateTo = options.word('translate-to', TRANSCRIPTION_LANGUAGES) ?? null
      const setting = { audience, translateTo }
      const shown = (each: LiveTextSetting) => ({
        tenant_id: tenantId,
        live_text: each.audience,
        translate_to: each.translateTo,
      })
      return withReplaced(shown(await changeLiveText(db, { tenantId, ...setting })), shown(setting))
    },
  },
  list: {
    summary: 'All tenants.',
    async run({ db }) {
      const tenants = await listTenantsOf(db)
      return tenants.map(({ id, name, isSandbox, createdAt }) => ({
        tenant_id: id,
        name,
        is_sandbox: isSandbox,
        created_at: createdAt.toISOString(),
      }))
    },
  },
}

/** Drops the secret if somebody pastes the whole key, for example a leaked one. A secret must not appear in messages. */
function keyIdOf(options: Options): string {
  return options.required('key-id').replace(/\..*$/, '')
}

/** As in the API, refuses an end in the past, because nobody could use the key. */
function endOfKey({ clock }: Pick<AdminDeps, 'clock'>, options: Options): Date | null {
  const expiresAt = options.date('expires-at') ?? null
  if (expiresAt === null || expiresAt > clock()) return expiresAt
  throw new UsageError('--expires-at must be in the future')
}

export const API_KEY_COMMANDS: Record<string, Command> = {
  issue: {
    needs: ['--tenant <id>'],
    takes: ['--note <text>', '--scope <control|manage...>', '--expires-at <date>'],
    summary: 'Issue one more API key, shown only once; for the scope control unless given.',
    async run({ db, clock }, options) {
      const tenantId = options.uuid('tenant')
      await tenantMustExist(db, tenantId)
      const given = options.optional('note')
      const note = given === undefined ? null : printable('note', given)
      const scopes = options.words('scope', API_KEY_SCOPES) ?? (['control'] as const)
      const expiresAt = endOfKey({ clock }, options)
      const { keyId, apiKey } = await issueApiKey(db, { tenantId, note, scopes, expiresAt })
      const issued = { key_id: keyId, api_key: apiKey, tenant_id: tenantId, note, scopes }
      return { ...issued, expires_at: expiresAt?.toISOString() ?? null }
    },
  },
  rotate: {
    needs: ['--tenant <id>', '--key-id <id>'],
    takes: ['--hours <n>', '--expires-at <date>'],
    summary: 'Replace an API key by one with its note and scopes; the old one ends in 24 hours.',
    async run({ db, clock }, options) {
      const [tenantId, oldKeyId] = [options.uuid('tenant'), keyIdOf(options)]
      const expiresAt = endOfKey({ clock }, options)
      const rotated = await rotateApiKey(db, {
        tenantId,
        keyId: oldKeyId,
        overlapSec: options.count('hours', OVERLAP_HOURS, OVERLAP_HOURS_MAX) * HOUR_SEC,
        expiresAt,
      })
      if (rotated === undefined)
        throw new CommandError(`tenant ${tenantId} has no API key ${oldKeyId} that is valid`)
      const { keyId, apiKey } = rotated
      const issued = { key_id: keyId, api_key: apiKey, tenant_id: tenantId, replaces: oldKeyId }
      return { ...issued, expires_at: expiresAt?.toISOString() ?? null }
    },
  },
  list: {
    needs: ['--tenant <id>'],
    summary: 'The API keys of a tenant, without their secrets.',
    async run({ db }, options) {
      const keys = await listTenantKeys(db, options.uuid('tenant'))
      return keys.map((key) => ({
        key_id: key.keyId,
        note: key.note,
        scopes: key.scopes,
        created_at: key.createdAt.toISOString(),
        expires_at: key.expiresAt?.toISOString() ?? null,
        last_used_at: key.lastUsedAt?.toISOString() ?? null,
        revoked_at: key.revokedAt?.toISOString() ?? null,
      }))
    },
  },
  revoke: {
    needs: ['--key-id <id>'],
    summary: 'Revoke an API key; it is refused everywhere within a second.',
    async run({ db }, options) {
      const keyId = keyIdOf(options)
      if (!(await revokeApiKey(db, { keyId })))
        throw new CommandError(`there is no API key ${keyId}`)
      return { key_id: keyId, revoked: true }
    },
  },
}
