import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { generateTokenKeys } from './tenant-token.ts'
import { signViewerToken } from './viewer-token.ts'

const TENANT = '019a2f6e-0d31-7c51-8f02-77c1d9b4e200'
const RECORDING = '019a3083-9b2f-7d40-a1c2-5be07fd2a9c4'
const ROOM = '019a2f6e-0d31-7c51-8f02-77c1d9b4e210'
const WHO = {
  tenantId: TENANT,
  publicUrl: 'https://interviews.example.com/',
  name: 'Sato',
  reference: 'researcher-12',
  may: ['watch', 'comment'],
} as const

describe('a viewer token', () => {
  test.each([
    ['a recording', { recordingId: RECORDING }, { recording_id: RECORDING }],
    ['a room', { roomId: ROOM }, { room_id: ROOM }],
  ])('is for %s, has its own id, and is valid for a day', async (_what, scope, claim) => {
    const key = await generateTokenKeys({ kid: 'backend-1' })
    const keys = createLocalJWKSet({ keys: [{ ...key.publicJwk, alg: key.alg, kid: key.kid }] })
    const { protectedHeader, payload } = await jwtVerify(
      await signViewerToken({ key, ...WHO, ...scope }),
      keys,
    )
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'backend-1', typ: 'review+jwt' })
    expect(payload).toEqual({
      iss: TENANT,
      aud: 'https://interviews.example.com',
      sub: 'researcher-12',
      name: 'Sato',
      may: ['watch', 'comment'],
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 86_400,
      ...claim,
    })
  })

  test('says that the name is drawn over every video, and never beside download', async () => {
    const key = await generateTokenKeys({ kid: 'backend-1' })
    const marked = { key, ...WHO, roomId: ROOM, watermark: true }
    expect(decodeJwt(await signViewerToken(marked))).toMatchObject({ watermark: true })
    const signed = signViewerToken({ ...marked, may: ['watch', 'download'] })
    await expect(signed).rejects.toThrow('may must not have download beside watermark')
  })

  test('is not signed for a longer life than the service accepts', async () => {
    const key = await generateTokenKeys({ kid: 'backend-1' })
    const signed = signViewerToken({ key, ...WHO, roomId: ROOM, expiresInSec: 2_592_001 })
    await expect(signed).rejects.toThrow('expiresInSec must be from 1 to 2592000')
  })
})
