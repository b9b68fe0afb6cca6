import { readFileSync } from 'node:fs'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { readCompactToken } from '../domain/people/compact-token.ts'
import { verifyParticipantToken } from '../domain/people/participant-token.ts'
import { ServiceError } from '../platform/lib/service-error.ts'
import { TOKEN_KEY_ALGS, type TokenKey } from '../platform/ports/token-key.ts'
import { addTokenKey } from '../platform/tenants/add-token-key.ts'
import {
  endTokenKey,
  listTenantTokenKeys,
  setJwksUri,
  tenantMustExist,
} from '../platform/tenants/manage-tenants.ts'
import { findTokenKey } from '../platform/tenants/token-keys.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { AdminDeps, Answer, Command } from './command.ts'
import type { Options } from './options.ts'
import { withReplaced } from './with-replaced.ts'

const STDIN = 0

/** Keys of the people who run the service: they sign platform_observer and nothing else. */
export const OPERATOR_COMMANDS: Record<string, Command> = {
  add: {
    needs: ['--tenant <id>', '--kid <name>'],
    takes: ['--alg <ES256|EdDSA|RS256>'],
    summary:
      "Make the operator's own key for a tenant's rooms; its private half is shown this once.",
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      await tenantMustExist(db, tenantId)
      const alg = algOf(options)
      const kid = options.required('kid')
      const { publicJwk, privateJwk } = await generate(alg)
      await addTokenKey(db, { tenantId, kid, alg, publicJwk, allowedRoles: ['platform_observer'] })
      return { tenant_id: tenantId, kid, alg, private_jwk: privateJwk }
    },
  },
  list: {
    needs: ['--tenant <id>'],
    summary: 'Every key that may sign platform_observer in a tenant.',
    async run({ db }, options) {
      const keys = await listTenantTokenKeys(db, options.uuid('tenant'))
      return keys
        .filter((key) => key.allowedRoles.includes('platform_observer'))
        .map((key) => presentKey(key))
    },
  },
}

export const TOKEN_KEY_COMMANDS: Record<string, Command> = {
  add: {
    needs: ['--tenant <id>', '--kid <name>'],
    takes: [
      '--alg <ES256|EdDSA|RS256>',
      '--jwk <file or ->',
      '--generate',
      '--role <role...>',
      '--not-before <date>',
      '--not-after <date>',
    ],
    summary:
      'Register a public key; --generate makes the pair and shows the private half this once.',
    run: addKey,
  },
  list: {
    needs: ['--tenant <id>'],
    summary: 'The token keys of a tenant.',
    async run({ db }, options) {
      const keys = await listTenantTokenKeys(db, options.uuid('tenant'))
      return keys.map((key) => presentKey(key))
    },
  },
  publish: {
    needs: ['--tenant <id>', '--url <address>'],
    summary: 'Also take the keys that the tenant publishes there (a JWK set); for the usual roles.',
    run: (deps, options) => publishAt(deps, options, options.required('url')),
  },
  unpublish: {
    needs: ['--tenant <id>'],
    summary: 'Take registered keys only.',
    run: (deps, options) => publishAt(deps, options, null),
  },
  verify: {
    needs: ['--token <file or ->'],
    takes: ['--room <id>'],
    summary:
      'Say whether a participant token would be accepted, or why it is refused. Give it in a file or as standard input.',
    run: verifyToken,
    hasFailed: (answer) => 'reason' in answer,
  },
  retire: {
    needs: ['--tenant <id>', '--kid <name>'],
    summary: 'End the use of a key after a rotation.',
    run: (deps, options) => endKey(deps, options, 'retired'),
  },
  revoke: {
    needs: ['--tenant <id>', '--kid <name>'],
    summary: 'End the use of a key that got into wrong hands.',
    run: (deps, options) => endKey(deps, options, 'revoked'),
  },
}

async function publishAt(
  deps: AdminDeps,
  options: Options,
  jwksUri: string | null,
): Promise<Answer> {
  const tenantId = options.uuid('tenant')
  const before = await setJwksUri(deps, { tenantId, jwksUri })
  return withReplaced(
    { tenant_id: tenantId, jwks_uri: before },
    { tenant_id: tenantId, jwks_uri: jwksUri },
  )
}

function presentKey(key: TokenKey): object {
  return {
    kid: key.kid,
    alg: key.alg,
    status: key.status,
    allowed_roles: key.allowedRoles,
    not_before: key.notBefore?.toISOString() ?? null,
    not_after: key.notAfter?.toISOString() ?? null,
  }
}

async function addKey({ db }: AdminDeps, options: Options): Promise<Answer> {
  const tenantId = options.uuid('tenant')
  await tenantMustExist(db, tenantId)
  const alg = algOf(options)
  const kid = options.required('kid')
  const allowedRoles = options.words('role', ROLES)
  const isGenerated = options.flag('generate')
  if (isGenerated === (options.optional('jwk') !== undefined)) {
    throw new UsageError('give either --jwk or --generate')
  }
  const [notBefore = null, notAfter = null] = options.period('not-before', 'not-after')
  const pair = isGenerated ? await generate(alg) : undefined
  const publicJwk = pair?.publicJwk ?? readJwk(options.required('jwk'))
  await addTokenKey(db, {
    tenantId,
    kid,
    alg,
    publicJwk,
    ...(allowedRoles === undefined ? {} : { allowedRoles }),
    notBefore,
    notAfter,
  })
  return {
    tenant_id: tenantId,
    kid,
    alg,
    ...(pair === undefined ? {} : { private_jwk: pair.privateJwk }),
  }
}

const algOf = (options: Options) => options.word('alg', TOKEN_KEY_ALGS) ?? 'ES256'

async function generate(alg: string): Promise<{ publicJwk: JWK; privateJwk: JWK }> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { publicJwk: await exportJWK(publicKey), privateJwk: await exportJWK(privateKey) }
}

interface TokenVerdict {
  verdict: 'accepted' | 'refused'
  /** The error code that the caller gets. */
  code?: string
  /** The reason that only the log has. */
  reason_code?: string
  reason?: string
  /** Claims of an accepted token. */
  tenant_id?: string
  room_id?: string
  role?: string
  name?: string
}

/** Judges the token as entry does, but does not ask whether the room is open. */
async function verifyToken(deps: AdminDeps, options: Options): Promise<TokenVerdict> {
  const { config, clock } = deps
  const token = readFile(options.required('token'), '--token').trim()
  const roomId = options.optional('room') ?? roomOf(token)
  try {
    const claims = await verifyParticipantToken({
      token,
      roomId,
      audience: config.publicUrl,
      leewaySec: config.tokenLeewaySec,
      now: clock(),
      findKey: (key) => findTokenKey(deps, key),
    })
    const { tenantId, role, displayName } = claims
    const names = { tenant_id: tenantId, room_id: claims.roomId }
    return { verdict: 'accepted', ...names, role, name: displayName }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, reasonCode = code, note, details } = error
    const reason = note ?? details?.map(({ field, message }) => `${field} ${message}`).join(', ')
    return { verdict: 'refused', code, reason_code: reasonCode, reason: reason ?? error.message }
  }
}

/** The room that the token names. A person enters it by the address with the same id. */
function roomOf(token: string): string {
  const roomId = readCompactToken(token)?.payload['room_id']
  return typeof roomId === 'string' ? roomId : ''
}

function readFile(file: string, option: string): string {
  try {
    return readFileSync(file === '-' ? STDIN : file, 'utf8')
  } catch {
    throw new UsageError(`${option}: ${file} cannot be read`)
  }
}

function readJwk(file: string): JWK {
  try {
    return JSON.parse(readFileSync(file === '-' ? STDIN : file, 'utf8')) as JWK
  } catch {
    throw new UsageError(`--jwk: ${file} is no file that holds a JWK`)
  }
}

async function endKey(
  { db }: AdminDeps,
  options: Options,
  status: 'retired' | 'revoked',
): Promise<Answer> {
  const tenantId = options.uuid('tenant')
  const kid = options.required('kid')
  const ended = await endTokenKey(db, { tenantId, kid, status })
  if (ended === undefined) throw new CommandError(`the tenant has no key named ${kid}`)
  return { tenant_id: tenantId, kid, status: ended }
}
