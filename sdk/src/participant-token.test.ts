import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  type ParticipantTokenOptions,
  roomLink,
  signParticipantToken,
} from './participant-token.ts'
import { generateTokenKeys, type TokenKeys } from './tenant-token.ts'

const TENANT = '019a2f6e-0d31-7c51-8f02-77c1d9b4e200'
const ROOM = '019a2f6e-0d31-7c51-8f02-77c1d9b4e210'
const PUBLIC_URL = 'https://interviews.example.com'
const NAME_RULE =
  'name must have 1 to 255 characters, no control characters, and something to be seen'

async function read(token: string, { publicJwk, alg, kid }: TokenKeys) {
  const keys = createLocalJWKSet({ keys: [{ ...publicJwk, alg, kid }] })
  return jwtVerify(token, keys, { issuer: TENANT, audience: PUBLIC_URL })
}

function sign(key: TokenKeys, change: Partial<ParticipantTokenOptions> = {}) {
  const who = { tenantId: TENANT, publicUrl: `${PUBLIC_URL}/`, roomId: ROOM } as const
  return signParticipantToken({ key, ...who, role: 'panelist', name: 'Hanako', ...change })
}

describe('a participant token', () => {
  test.each(['ES256', 'EdDSA', 'RS256'] as const)('is signed by a key for %s', async (alg) => {
    const key = await generateTokenKeys({ kid: 'backend-1', alg })
    const { protectedHeader, payload } = await read(await sign(key), key)
    expect(protectedHeader).toEqual({ alg, kid: 'backend-1', typ: 'room-entry+jwt' })
    expect(payload).toEqual({
      iss: TENANT,
      aud: PUBLIC_URL,
      room_id: ROOM,
      role: 'panelist',
      name: 'Hanako',
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 7_200,
    })
  })

  test('contains the given reference to the person, id and language', async () => {
    const key = await generateTokenKeys({ kid: 'backend-1' })
    const participant = { externalType: 'User', externalId: '42' }
    const token = await sign(key, { participant, jti: 'j-1', locale: 'ja', expiresInSec: 60 })
    const { payload } = await read(token, key)
    expect(payload).toMatchObject({
      participant: { external_type: 'User', external_id: '42' },
      jti: 'j-1',
      locale: 'ja',
      exp: (payload.iat ?? 0) + 60,
    })
  })

  test.each([
    [{ name: '' }, NAME_RULE],
    [{ name: 'é'.repeat(256) }, NAME_RULE],
    [{ name: 'Hanako\tSato' }, NAME_RULE],
    [{ name: 'Hanako\nSato' }, NAME_RULE],
    [{ name: ' \u200b' }, NAME_RULE],
    [{ expiresInSec: 90_001 }, 'expiresInSec must be from 1 to 90000'],
    [{ expiresInSec: 0 }, 'expiresInSec must be from 1 to 90000'],
    [{ expiresInSec: Number.NaN }, 'expiresInSec must be from 1 to 90000'],
  ])('that the service would refuse is not signed: %o', async (change, message) => {
    const key = await generateTokenKeys({ kid: 'backend-1' })
    await expect(sign(key, change)).rejects.toThrow(new RangeError(message))
  })

  test.each(['𠮷'.repeat(255), 'e\u0301'.repeat(255)])(
    'may have a name of 255 characters, whatever they are: %s',
    async (name) => {
      const key = await generateTokenKeys({ kid: 'backend-1' })
      const { payload } = await read(await sign(key, { name }), key)
      expect(payload['name']).toBe(name)
    },
  )

  test('is the fragment of the link, which no server receives', () => {
    const room = { connect_url: `${PUBLIC_URL}/r/${ROOM}` }
    expect(roomLink(room, 'a.b.c')).toBe(`${PUBLIC_URL}/r/${ROOM}#token=a.b.c`)
  })
})

test('a public key contains nothing of the private one', async () => {
  const { publicJwk, privateJwk } = await generateTokenKeys({ kid: 'backend-1' })
  expect(publicJwk).not.toHaveProperty('d')
  expect(privateJwk).toHaveProperty('d')
})
