import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFileAddresses } from './file-addresses.ts'

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const KEY = `${randomUUID()}/recordings/${randomUUID()}`
const shown = { mime: 'video/mp4', fileName: 'a.mp4', disposition: 'attachment' } as const

function addressesBy(secretsKey: Buffer, previousSecretsKey?: Buffer) {
  const common = { publicUrl: 'https://rooms.test', clock: () => new Date(0) }
  return createFileAddresses({ ...common, secretsKey, previousSecretsKey })
}

test('an address of the previous key is accepted while that is configured', () => {
  const queryOf = (addresses: ReturnType<typeof addressesBy>) => {
    const { url } = addresses.signGet(KEY, { expiresInSec: 60, ...shown })
    return Object.fromEntries(new URL(url).searchParams)
  }
  const old = queryOf(addressesBy(OLD))
  expect(addressesBy(NEW, OLD).grantOf('GET', KEY, old)).toMatchObject({ name: 'a.mp4' })
  expect(addressesBy(NEW).grantOf('GET', KEY, old)).toBeUndefined()
  const rotated = queryOf(addressesBy(NEW, OLD))
  expect(addressesBy(NEW).grantOf('GET', KEY, rotated)).toMatchObject({ name: 'a.mp4' })
  expect(addressesBy(OLD).grantOf('GET', KEY, rotated)).toBeUndefined()
})
