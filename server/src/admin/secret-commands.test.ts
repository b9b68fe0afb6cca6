import { beforeAll, expect, test } from 'vitest'
import { createSecretBox, type SecretBox } from '../platform/lib/secret-box.ts'
import { ensureServiceKey } from '../platform/service-keys/ensure-service-key.ts'
import { setEndpoint } from '../platform/webhooks/set-endpoint.ts'
import { useControlPlane } from '../testing/control-plane.ts'
import { runAdmin } from './run-admin.ts'

const plane = useControlPlane()
const NEW = Buffer.alloc(32, 9)
let old: Buffer

beforeAll(async () => {
  old = plane.deps.config.secretsKey
  await ensureServiceKey(plane.deps)
  for (const { tenantId } of [plane.tenant, plane.other]) {
    await setEndpoint(plane.deps, { tenantId, url: 'https://example.com/hooks' })
  }
})

async function run(secretBox: SecretBox, ...args: string[]) {
  const deps = { ...plane.deps, secretBox }
  const { exitCode, stdout, stderr } = await runAdmin([...args, '--json'], () => ({
    deps,
    close: async () => {},
  }))
  expect(stderr).toBe('')
  return { exitCode, answer: JSON.parse(stdout) }
}

const violations = async (key: Buffer) =>
  (await run(createSecretBox(key), 'check')).answer.violations.map(
    ({ invariant }: { invariant: string }) => invariant,
  )

test('secrets reencrypt changes nothing under a key that decrypts none of them, and counts them', async () => {
  expect(await run(createSecretBox(NEW), 'secrets', 'reencrypt')).toEqual({
    exitCode: 1,
    answer: { secrets: 3, reencrypted: 0, unreadable: 3 },
  })
  expect(await violations(old)).not.toContain('secrets-can-be-read')
})

test('secrets reencrypt puts every secret under the new key, once', async () => {
  const rotating = createSecretBox(NEW, old)
  expect(await violations(NEW)).toContain('secrets-can-be-read')
  expect(await run(rotating, 'secrets', 'reencrypt')).toEqual({
    exitCode: 0,
    answer: { secrets: 3, reencrypted: 3, unreadable: 0 },
  })
  expect(await violations(NEW)).not.toContain('secrets-can-be-read')
  expect(await violations(old)).toContain('secrets-can-be-read')
  expect(await run(rotating, 'secrets', 'reencrypt')).toEqual({
    exitCode: 0,
    answer: { secrets: 3, reencrypted: 0, unreadable: 0 },
  })
})

const PERSON = ['--external-type', 'User', '--external-id', '4711']

test.each([
  ['webhooks', 'set', '--url', 'https://example.com/other'],
  ['webhooks', 'rotate'],
  ['operators', 'board-link', '--operator', 'op-1'],
  ['data-subjects', 'erase', ...PERSON],
  ['data-subjects', 'export', ...PERSON, '--out', '-'],
])('%s %s is refused under a key that is not that of the service', async (...args) => {
  const deps = { ...plane.deps, secretBox: createSecretBox(Buffer.alloc(32, 5)) }
  const open = () => ({ deps, close: async () => {} })
  const given = [...args, '--tenant', plane.tenant.tenantId]
  const { exitCode, stdout, stderr } = await runAdmin(given, open)
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(/^SECRETS_KEY is not the key /),
  })
})

test('webhooks rotate makes a secret that the service reads while the key is rotated', async () => {
  const tenant = ['--tenant', plane.tenant.tenantId]
  expect(await run(createSecretBox(NEW, old), 'webhooks', 'rotate', ...tenant)).toMatchObject({
    exitCode: 0,
  })
})
