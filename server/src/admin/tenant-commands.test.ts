import { describe, expect, test } from 'vitest'
import { useAdminTenant } from '../testing/admin-commands.ts'

const admin = useAdminTenant()
const { run, json } = admin

test('a leaked API key is revoked even if the whole key is given, and its secret is not shown again', async () => {
  const issued = await json('api-keys', 'issue', '--tenant', admin.tenantId)
  const revoke = ['api-keys', 'revoke', '--key-id']
  expect(await json(...revoke, issued.api_key)).toEqual({ key_id: issued.key_id, revoked: true })
  const unknown = await run(...revoke, 'key_unknown.secret-of-nobody')
  expect(unknown).toMatchObject({ exitCode: 1, stderr: 'there is no API key key_unknown\n' })
})

describe('the end of an API key', () => {
  test('is set when it is issued or rotated, and shown', async () => {
    const whose = ['--tenant', admin.tenantId]
    const end = ['--expires-at', '2999-01-01T00:00:00+09:00']
    const issued = await json('api-keys', 'issue', ...whose, ...end)
    expect(issued.expires_at).toBe('2998-12-31T15:00:00.000Z')
    const rotate = ['api-keys', 'rotate', ...whose, '--key-id', issued.key_id]
    const rotated = await json(...rotate, ...end)
    expect(rotated.expires_at).toBe('2998-12-31T15:00:00.000Z')
    const endless = ['api-keys', 'rotate', ...whose, '--key-id', rotated.key_id]
    expect((await json(...endless)).expires_at).toBeNull()
  })

  test('is refused if it is in the past, and no key is made', async () => {
    const whose = ['--tenant', admin.tenantId]
    const { key_id: keyId } = await json('api-keys', 'issue', ...whose)
    const before = await json('api-keys', 'list', ...whose)
    for (const words of [['issue'], ['rotate', '--key-id', keyId]]) {
      const refused = await run('api-keys', ...words, ...whose, '--expires-at', '2020-01-01')
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
      expect(refused.stderr).toContain('--expires-at must be in the future')
    }
    expect(await json('api-keys', 'list', ...whose)).toEqual(before)
  })
})
