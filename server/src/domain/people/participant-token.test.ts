import { createHmac, randomUUID } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { TokenKey } from '../../platform/ports/token-key.ts'
import { type TokenVerification, verifyParticipantToken } from './participant-token.ts'
import { TOKEN_REFUSAL_CODES, type TokenRefusal } from './token-refusal.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const NOW_SEC = NOW.getTime() / 1000
const TENANT = randomUUID()
const OTHER_TENANT = randomUUID()
const ROOM = randomUUID()
const AUDIENCE = 'https://rooms.test'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

let pair: KeyPair
let other: KeyPair
let keys: TokenKey[]

function keyOf(kid: string, publicJwk: JWK, change: Partial<TokenKey> = {}): TokenKey {
  return {
    tenantId: TENANT,
    kid,
    alg: 'ES256',
    publicJwk,
    status: 'active',
    allowedRoles: ['moderator', 'observer', 'panelist'],
    notBefore: null,
    notAfter: null,
    ...change,
  }
}

beforeAll(async () => {
  pair = await generateKeyPair('ES256', { extractable: true })
  other = await generateKeyPair('ES256', { extractable: true })
  const publicJwk = await exportJWK(pair.publicKey)
  keys = [
    keyOf('good', publicJwk),
    keyOf('operators', publicJwk, { allowedRoles: ['platform_observer'] }),
    keyOf('retired', publicJwk, { status: 'retired' }),
    keyOf('revoked', publicJwk, { status: 'revoked' }),
    keyOf('not-yet', publicJwk, { notBefore: new Date(NOW.getTime() + 1000) }),
    keyOf('no-more', publicJwk, { notAfter: new Date(NOW.getTime() - 1000) }),
    keyOf('rsa-said', publicJwk, { alg: 'RS256' }),
    keyOf('foreign', publicJwk, { tenantId: OTHER_TENANT }),
  ]
})

const HEADER = { alg: 'ES256', kid: 'good', typ: 'room-entry+jwt' }
const CLAIMS = {
  iss: TENANT,
  aud: AUDIENCE,
  room_id: ROOM,
  participant: { external_type: 'User', external_id: '42' },
  role: 'panelist',
  name: 'Hanako',
  iat: NOW_SEC,
  exp: NOW_SEC + 3600,
}

async function sign(claims: object, header: object = {}, key = pair.privateKey): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ ...HEADER, ...header })
    .sign(key)
}

/** Signs arbitrary bytes as header and payload, which a JSON serialiser would never write. */
async function signRaw(payload: string, header = JSON.stringify(HEADER)): Promise<string> {
  const input = [header, payload].map((text) => Buffer.from(text).toString('base64url')).join('.')
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    pair.privateKey,
    Buffer.from(input),
  )
  return `${input}.${Buffer.from(signature).toString('base64url')}`
}

function verify(token: string, change: Partial<TokenVerification> = {}) {
  return verifyParticipantToken({
    token,
    roomId: ROOM,
    audience: AUDIENCE,
    leewaySec: 60,
    now: NOW,
    findKey: async ({ tenantId, kid }) =>
      keys.find((key) => key.tenantId === tenantId && key.kid === kid),
    ...change,
  })
}

async function codeOf(token: string): Promise<string> {
  try {
    await verify(token)
    return 'admitted'
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

describe('a participant token', () => {
  // contract: Participant token › The claims are read: issuer, room, participant, role, name, jti
  test('gives the claims of the person', async () => {
    expect(await verify(await sign({ jti: 'j1' }))).toEqual({
      tenantId: TENANT,
      roomId: ROOM,
      identity: { kind: 'external', externalType: 'User', externalId: '42' },
      role: 'panelist',
      displayName: 'Hanako',
      jti: 'j1',
    })
  })

  // contract: Participant token › Unknown header members are ignored; `typ` in any case, with or without `application/`
  test.each([
    [{ x5t: 'NjVBRjY5', 'x5t#S256': 'AAAA', x5c: ['MIIB'] }],
    [{ cty: 'JWT', iss: 'x', iat: NOW_SEC, 'https://example.com/v': 1 }],
    [{ typ: 'jwt' }],
    [{ typ: 'ROOM-ENTRY+JWT' }],
    [{ typ: 'application/room-entry+jwt' }],
    [{ typ: 'application/JWT' }],
  ])('may have the header %j', async (header) => {
    expect(await verify(await sign({}, header))).toMatchObject({ displayName: 'Hanako' })
  })

  // contract: Participant token › `null` for an optional claim means absent
  test('may have null for what is optional', async () => {
    const claims = { nbf: null, jti: null, locale: null, platform_user: null }
    expect(await verify(await sign(claims))).toMatchObject({ jti: null })
    const stranger = await verify(await sign({ participant: null }))
    expect(stranger.identity.kind).toBe('anonymous')
  })

  test('that was verified before is checked against the currently registered key and its own expiry', async () => {
    const token = await sign({})
    const registered = keyOf('good', await exportJWK(pair.publicKey))
    const judged = (key: TokenKey, now = NOW) => verify(token, { findKey: async () => key, now })
    await judged(registered)
    const replaced = keyOf('good', await exportJWK(other.publicKey))
    await expect(judged(replaced)).rejects.toMatchObject({ reasonCode: 'SIGNATURE_INVALID' })
    const revoked = { ...registered, status: 'revoked' } as const
    await expect(judged(revoked)).rejects.toMatchObject({ reasonCode: 'KEY_INACTIVE' })
    const late = new Date(NOW.getTime() + 2 * 3_600_000)
    await expect(judged(registered, late)).rejects.toMatchObject({ reasonCode: 'EXPIRED' })
    expect((await judged(registered)).displayName).toBe('Hanako')
  })

  test('reads a number in external_id as its digits', async () => {
    const participant = { external_type: 'User', external_id: 42 }
    const { identity } = await verify(await sign({ participant }))
    expect(identity).toEqual({ kind: 'external', externalType: 'User', externalId: '42' })
  })

  // contract: Participant token › The name in canonical form
  test('converts the name to its canonical form', async () => {
    const { displayName } = await verify(await sign({ name: 'か\u3099' }))
    expect(displayName).toBe('が')
  })

  test.each(['👨‍👩‍👧', 'שלום\u200f', '花 子'])('keeps the name %j unchanged', async (name) => {
    expect((await verify(await sign({ name }))).displayName).toBe(name)
  })

  test('removes what would turn the text beside a name round', async () => {
    const { displayName } = await verify(await sign({ name: 'Sato\u202e (moderator)\u2066' }))
    expect(displayName).toBe('Sato (moderator)')
  })

  // contract: Participant token › Without participant: anonymous by its jti, or by the token
  test('without a participant is anonymous: one identity per jti, otherwise one per token', async () => {
    const [a, b, c] = await Promise.all([
      sign({ participant: undefined, jti: 'one' }).then(verify),
      sign({ participant: undefined, jti: 'one', name: 'Other name' }).then(verify),
      sign({ participant: undefined }).then(verify),
    ])
    expect(a.identity.kind).toBe('anonymous')
    expect(b.identity).toEqual(a.identity)
    expect(c.identity).not.toEqual(a.identity)
  })

  // contract: Participant token › Audience as text or list; a platform operator
  test('may list several audiences, and may name an operator', async () => {
    expect(await codeOf(await sign({ aud: ['x', AUDIENCE] }))).toBe('admitted')
    const operator = { role: 'platform_observer', participant: undefined, platform_user: 'op-1' }
    expect(await codeOf(await sign(operator, { kid: 'operators' }))).toBe('admitted')
  })

  // contract: Participant token › 60 s of leeway
  test('is accepted within the leeway before and after its validity', async () => {
    expect(await codeOf(await sign({ iat: NOW_SEC - 100, exp: NOW_SEC - 59 }))).toBe('admitted')
    expect(await codeOf(await sign({ iat: NOW_SEC + 59, exp: NOW_SEC + 600 }))).toBe('admitted')
    expect(await codeOf(await sign({ nbf: NOW_SEC + 60 }))).toBe('admitted')
  })

  // contract: Participant token › 400 UNKNOWN_ROLE once it is sound
  test('with an unknown role is 400 UNKNOWN_ROLE if it is otherwise valid', async () => {
    expect(await codeOf(await sign({ role: 'king' }))).toBe('UNKNOWN_ROLE')
    expect(await codeOf(await sign({ role: 7 }))).toBe('UNKNOWN_ROLE')
    expect(await codeOf(await sign({ role: 'king' }, {}, other.privateKey))).toBe('UNAUTHORIZED')
  })
})

const UNSOUND_CLAIMS: readonly (readonly [what: string, claims: object])[] = [
  ['another issuer', { iss: randomUUID() }],
  ['no issuer', { iss: undefined }],
  ['an issuer that is not a string', { iss: [TENANT] }],
  ['another audience', { aud: 'https://else.test' }],
  ['no audience', { aud: undefined }],
  ['an audience list without us', { aud: ['a', 'b'] }],
  ['an audience list with a number', { aud: [AUDIENCE, 1] }],
  ['another room', { room_id: randomUUID() }],
  ['no room', { room_id: undefined }],
  ['no role', { role: undefined }],
  ['a role that the key may not sign', { role: 'platform_observer' }],
  ['no name', { name: undefined }],
  ['an empty name', { name: ' ' }],
  ['a name that nobody can see', { name: '\u200b\u2060\ufeff' }],
  ['a name of marks of direction', { name: '\u202e\u2066\u2069' }],
  ['a name of 256 characters', { name: 'あ'.repeat(256) }],
  ['a name with a line break', { name: 'a\nb' }],
  ['half a participant', { participant: { external_type: 'User' } }],
  [
    'a participant with more members',
    { participant: { external_type: 'a', external_id: 'b', c: 1 } },
  ],
  ['a participant that is a list', { participant: ['User', '42'] }],
  [
    'a reference of 65 characters',
    { participant: { external_type: 'U', external_id: 'x'.repeat(65) } },
  ],
  ['an empty reference', { participant: { external_type: '', external_id: 'x' } }],
  [
    'a reference with a line break',
    { participant: { external_type: 'User', external_id: 'a\nb' } },
  ],
  [
    'a kind of reference with a control character',
    { participant: { external_type: 'U\u009f', external_id: '42' } },
  ],
  ['a platform user in another role', { participant: undefined, platform_user: 'op' }],
  ['a platform user beside a participant', { platform_user: 'op', role: 'platform_observer' }],
  ['no iat', { iat: undefined }],
  ['no exp', { exp: undefined }],
  ['a life of more than 25 h', { exp: NOW_SEC + 25 * 3600 + 1 }],
  ['a life of ten years', { exp: NOW_SEC + 10 * 365 * 86_400 }],
  ['an end before its start', { iat: NOW_SEC + 10, exp: NOW_SEC + 9 }],
  ['its time over', { iat: NOW_SEC - 3600, exp: NOW_SEC - 60 }],
  ['its time to come', { iat: NOW_SEC + 61, exp: NOW_SEC + 600 }],
  ['a later nbf', { nbf: NOW_SEC + 61 }],
  ['an nbf that is text', { nbf: 'now' }],
  ['an exp that is text', { exp: String(NOW_SEC + 60) }],
  ['a negative iat', { iat: -1 }],
  ['a jti that is a number', { jti: 7 }],
]

const UNSOUND_HEADERS: readonly (readonly [what: string, header: object])[] = [
  ['an unknown key', { kid: 'nobody' }],
  ['no key id', { kid: undefined }],
  ['a retired key', { kid: 'retired' }],
  ['a revoked key', { kid: 'revoked' }],
  ['a key that is not valid yet', { kid: 'not-yet' }],
  ['a key that is valid no more', { kid: 'no-more' }],
  ["another tenant's key", { kid: 'foreign' }],
  ['a key registered for another algorithm', { kid: 'rsa-said' }],
  ['another type', { typ: 'at+jwt' }],
  ['no type', { typ: undefined }],
  ['a key of its own', { jwk: { kty: 'EC' } }],
  ['an address of keys', { jku: 'https://evil.test/keys' }],
  ['an address of a certificate', { x5u: 'https://evil.test/cert' }],
  ['a payload that is not encoded', { b64: true }],
  ['a type that is a list', { typ: ['JWT'] }],
]

describe('a participant token is refused with 401 for', () => {
  // contract: Fields of a Participant › External reference and operator exclude each other
  // contract: Participant token › Every faulty claim is the same 401 UNAUTHORIZED, a life over 25
  //   hours (`PARTICIPANT_TOKEN_MAX_LIFE_SEC`) and a name over 255 characters (`DISPLAY_NAME_MAX`)
  //   among them
  test.each(UNSOUND_CLAIMS)('%s', async (_what, claims) => {
    expect(await codeOf(await sign(claims))).toBe('UNAUTHORIZED')
  })

  test.each(UNSOUND_HEADERS)('%s', async (_what, header) => {
    expect(await codeOf(await sign({}, header))).toBe('UNAUTHORIZED')
  })

  test('a signature by another key', async () => {
    expect(await codeOf(await sign({}, {}, other.privateKey))).toBe('UNAUTHORIZED')
  })

  test('no signature, or the algorithm "none"', async () => {
    const [header, payload] = (await sign({})).split('.')
    const none = Buffer.from(JSON.stringify({ ...HEADER, alg: 'none' })).toString('base64url')
    expect(await codeOf(`${header}.${payload}.`)).toBe('UNAUTHORIZED')
    expect(await codeOf(`${none}.${payload}.`)).toBe('UNAUTHORIZED')
    expect(await codeOf(`${none}.${payload}.AA`)).toBe('UNAUTHORIZED')
  })

  // contract: Participant token › A signature by another key, none, HS256 with the public key
  test('a shared-secret signature made with the public key', async () => {
    const secret = await exportSPKI(pair.publicKey)
    const [, payload] = (await sign({})).split('.')
    const header = Buffer.from(JSON.stringify({ ...HEADER, alg: 'HS256' })).toString('base64url')
    const signature = createHmac('sha256', secret)
      .update(`${header}.${payload}`)
      .digest('base64url')
    expect(await codeOf(`${header}.${payload}.${signature}`)).toBe('UNAUTHORIZED')
  })

  test('an altered payload', async () => {
    const [header, , signature] = (await sign({})).split('.')
    const payload = Buffer.from(JSON.stringify({ ...CLAIMS, role: 'moderator' })).toString(
      'base64url',
    )
    expect(await codeOf(`${header}.${payload}.${signature}`)).toBe('UNAUTHORIZED')
  })

  test('a duplicate claim, a duplicate header member, or an infinite number', async () => {
    const json = JSON.stringify(CLAIMS)
    const doubled = json.replace('{', '{"role":"moderator",')
    const infinite = json.replace(/"exp":\d+/, '"exp":1e400')
    const header = JSON.stringify(HEADER).replace('{', '{"kid":"revoked",')
    expect(await codeOf(await signRaw(json))).toBe('admitted')
    expect(await codeOf(await signRaw(doubled))).toBe('UNAUTHORIZED')
    expect(await codeOf(await signRaw(infinite))).toBe('UNAUTHORIZED')
    expect(await codeOf(await signRaw(json, header))).toBe('UNAUTHORIZED')
  })

  test('another spelling of the same token', async () => {
    const token = await sign({})
    expect(await codeOf(`${token}=`)).toBe('UNAUTHORIZED')
    expect(await codeOf(` ${token}`)).toBe('UNAUTHORIZED')
    expect(await codeOf(`${token}.x`)).toBe('UNAUTHORIZED')
  })

  // contract: Participant token › Over 4,096 characters (`PARTICIPANT_TOKEN_MAX_CHARS`)
  test('more than 4,096 characters, or no token at all', async () => {
    expect(await codeOf(await sign({ extra: 'x'.repeat(4096) }))).toBe('UNAUTHORIZED')
    for (const text of ['', '.', '..', 'a.b.c', 'é.é.é'])
      expect(await codeOf(text)).toBe('UNAUTHORIZED')
  })
})

describe('the logged reason of a refusal', () => {
  const tooLong = { extra: 'x'.repeat(4_096) }
  const operator = { participant: undefined, platform_user: 'op' }
  const CODES: readonly (
    | readonly [TokenRefusal, object]
    | readonly [TokenRefusal, object, object]
  )[] = [
    ['TOO_LONG', tooLong],
    ['HEADER_NOT_ALLOWED', {}, { jku: 'https://evil.test' }],
    ['TYPE_INVALID', {}, { typ: 'at+jwt' }],
    ['ISSUER_MISSING', { iss: undefined }],
    ['KID_MISSING', {}, { kid: undefined }],
    ['KEY_UNKNOWN', {}, { kid: 'nobody' }],
    ['KEY_INACTIVE', {}, { kid: 'retired' }],
    ['ALGORITHM_MISMATCH', {}, { kid: 'rsa-said' }],
    ['KEY_NOT_YET_VALID', {}, { kid: 'not-yet' }],
    ['KEY_EXPIRED', {}, { kid: 'no-more' }],
    ['ROOM_MISMATCH', { room_id: undefined }],
    ['AUDIENCE_MISMATCH', { aud: undefined }],
    ['ISSUED_AT_INVALID', { iat: 'now' }],
    ['EXPIRY_INVALID', { exp: undefined }],
    ['NOT_BEFORE_INVALID', { nbf: 'now' }],
    ['EXPIRY_BEFORE_ISSUE', { exp: NOW_SEC }],
    ['LIFE_TOO_LONG', { exp: NOW_SEC + 90_001 }],
    ['ISSUED_IN_FUTURE', { iat: NOW_SEC + 61, exp: NOW_SEC + 600 }],
    ['EXPIRED', { iat: NOW_SEC - 3600, exp: NOW_SEC - 60 }],
    ['NOT_YET_VALID', { nbf: NOW_SEC + 61 }],
    ['NAME_INVALID', { name: undefined }],
    ['JTI_INVALID', { jti: 7 }],
    ['PARTICIPANT_INVALID', { participant: 'User 42' }],
    ['ROLE_MISSING', { role: undefined }],
    ['ROLE_NOT_ALLOWED', { role: 'platform_observer' }],
    ['PLATFORM_USER_NOT_ALLOWED', operator],
  ]

  test.each(CODES)('is %s', async (reasonCode, claims, header = {}) => {
    const refused = { code: 'UNAUTHORIZED', reasonCode }
    await expect(verify(await sign(claims, header))).rejects.toMatchObject(refused)
  })

  test('has a code for every refusal', async () => {
    await expect(verify('a.b')).rejects.toMatchObject({ reasonCode: 'MALFORMED' })
    const foreign = await sign({}, {}, other.privateKey)
    await expect(verify(foreign)).rejects.toMatchObject({ reasonCode: 'SIGNATURE_INVALID' })
    const tried = new Set<TokenRefusal>([...CODES.map(([code]) => code), 'MALFORMED'])
    tried.add('SIGNATURE_INVALID')
    expect(TOKEN_REFUSAL_CODES.filter((code) => !tried.has(code))).toEqual([])
  })

  const REASONS: readonly { reason: string; claims: object; header?: object }[] = [
    { reason: 'iss, the id of the tenant, is missing', claims: { iss: undefined } },
    { reason: 'the tenant in iss has no key of this kid', claims: { iss: randomUUID() } },
    { reason: 'the tenant in iss has no key of this kid', claims: {}, header: { kid: 'nobody' } },
    { reason: 'the key is retired or revoked', claims: {}, header: { kid: 'revoked' } },
    { reason: 'the key is no longer valid', claims: {}, header: { kid: 'no-more' } },
    { reason: 'typ is neither room-entry+jwt nor JWT', claims: {}, header: { typ: 'at+jwt' } },
    {
      reason: 'the header has jku, x5u, jwk, crit or b64',
      claims: {},
      header: { jku: 'https://evil.test' },
    },
    { reason: `aud is not ${AUDIENCE}`, claims: { aud: `${AUDIENCE}/` } },
    { reason: 'room_id is not the room of the address', claims: { room_id: randomUUID() } },
    { reason: 'iat is missing or not a time in seconds', claims: { iat: undefined } },
    { reason: 'exp is more than 90000 seconds behind iat', claims: { exp: NOW_SEC + 90_001 } },
    { reason: 'the token has expired', claims: { iat: NOW_SEC - 3600, exp: NOW_SEC - 60 } },
    { reason: 'name is missing or not a name', claims: { name: undefined } },
    {
      reason: 'participant or platform_user is not as documented',
      claims: { participant: { external_id: '1' } },
    },
    { reason: 'role is missing', claims: { role: undefined } },
    { reason: 'the key may not sign this role', claims: { role: 'platform_observer' } },
  ]

  test.each(REASONS)('says: $reason', async ({ reason, claims, header }) => {
    await expect(verify(await sign(claims, header))).rejects.toMatchObject({ note: reason })
  })

  test('says that the signature is by another key', async () => {
    await expect(verify(await sign({}, {}, other.privateKey))).rejects.toMatchObject({
      note: 'the signature is not by this key',
    })
  })
})
