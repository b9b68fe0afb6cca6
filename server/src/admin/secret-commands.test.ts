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
