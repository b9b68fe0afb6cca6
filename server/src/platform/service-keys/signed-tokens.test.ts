import { createPublicKey, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Config } from '../config/config.ts'
import type { ServiceKeys } from '../ports/service-keys.ts'
import { createSignedTokens, type SignedTokens } from './signed-tokens.ts'

const REFUSED = { code: 'UNAUTHORIZED' }
const LIFE_SEC = 60

let nowMs: number
let keys: Map<string, KeyPairKeyObjectResult>
let tokens: SignedTokens

const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

function create(type = 'ticket+jwt'): SignedTokens {
  const serviceKeys: ServiceKeys = {
    async signing() {
      const [[kid, pair] = []] = keys
      if (kid === undefined || pair === undefined) throw new Error('there is no key')
      return { kid, key: pair.privateKey }
    },
    verifying: async (kid) => keys.get(kid)?.publicKey,
  }
  const config = { publicUrl: 'https://rooms.example' } as Config
  return createSignedTokens({ serviceKeys, config, clock: () => new Date(nowMs) }, type)
}

async function sign(): Promise<string> {
  const { token } = await tokens.sign({ role: 'moderator' }, { subject: 'P1', lifeSec: LIFE_SEC })
  return token
}

beforeEach(async () => {
  nowMs = Date.parse('2026-11-24T10:00:00Z')
  keys = new Map([['first', newPair()]])
  tokens = create()
})

describe('a token that was verified before', () => {
  let token: string

  beforeEach(async () => {
    token = await sign()
    await tokens.verify(token)
  })

  test('returns the same claims, without checking the signature again', async () => {
    const verified = vi.spyOn(crypto.subtle, 'verify')
    expect(await tokens.verify(token)).toMatchObject({ sub: 'P1', role: 'moderator' })
    expect(verified).not.toHaveBeenCalled()
    verified.mockRestore()
  })

  test('is valid until the second it expires, and not in it', async () => {
    nowMs += LIFE_SEC * 1000 - 1
    await expect(tokens.verify(token)).resolves.toMatchObject({ sub: 'P1' })
    nowMs += 1
    await expect(tokens.verify(token)).rejects.toMatchObject(REFUSED)
    await expect(tokens.verify(token)).rejects.toMatchObject(REFUSED)
  })

  test('is refused once its key is removed', async () => {
    keys = new Map([['second', newPair()]])
    await expect(tokens.verify(token)).rejects.toMatchObject(REFUSED)
  })

  test('is refused once another key has the id of its key', async () => {
    keys = new Map([['first', newPair()]])
    await expect(tokens.verify(token)).rejects.toMatchObject(REFUSED)
  })

  test('is still valid when its key was read again', async () => {
    const first = keys.get('first') as KeyPairKeyObjectResult
    const publicKey = createPublicKey(first.publicKey.export({ format: 'pem', type: 'spki' }))
    keys = new Map([['first', { ...first, publicKey }]])
    await expect(tokens.verify(token)).resolves.toMatchObject({ sub: 'P1' })
  })

  test('passes neither for another kind nor with another signature', async () => {
    await expect(create('board+jwt').verify(token)).rejects.toMatchObject(REFUSED)
    const [head, claims, signature = ''] = token.split('.')
    const other = [head, claims, signature.slice(10) + signature.slice(0, 10)].join('.')
    await expect(tokens.verify(other)).rejects.toMatchObject(REFUSED)
  })
})
