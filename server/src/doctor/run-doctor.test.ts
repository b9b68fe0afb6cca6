import { expect, test } from 'vitest'
import type { CheckResult } from '../platform/checks/check.ts'
import { openDeps } from '../service.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'
import { runDoctor } from './run-doctor.ts'

async function findingsOf(changed: Record<string, string>): Promise<CheckResult[]> {
  const { stdout } = await runDoctor(['--json'], { ...TEST_ENVIRONMENT, ...changed }, openDeps)
  return (JSON.parse(stdout) as { checks: CheckResult[] }).checks
}

test('the doctor refuses an unknown option with exit code 2, and explains itself', async () => {
  expect(await runDoctor(['--jsn'], {}, openDeps)).toMatchObject({ exitCode: 2, stdout: '' })
  const help = await runDoctor(['--help'], {}, openDeps)
  expect(help).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('npm run doctor') })
})

test('the doctor reports every wrong setting, and a missing service', async () => {
  const found = await findingsOf({ PORT: 'x', SECRETS_KEY: 'short' })
  expect(found).toMatchObject([
    {
      check: 'configuration',
      result: 'fail',
      detail: 'PORT must be a whole number from 1 to 65535',
    },
    { check: 'configuration', result: 'fail', detail: 'SECRETS_KEY must be 32 bytes in base64' },
  ])
  const [nowhere] = await findingsOf({ DATABASE_URL: '', DATA_DIR: '/nowhere/at-all' })
  expect(nowhere?.detail).toMatch(/^no service runs on /)
})
