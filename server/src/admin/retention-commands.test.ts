import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../platform/config/config.ts'
import { adminCommands } from '../testing/admin-commands.ts'
import { useControlPlane } from '../testing/control-plane.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'

const plane = useControlPlane({
  config: { ...loadConfig(TEST_ENVIRONMENT), recordingRetentionDays: 365 },
})
let tenant: string[]

beforeAll(() => {
  tenant = ['--tenant', plane.tenant.tenantId]
})

const admin = adminCommands(() => plane.deps)
const run = (...args: string[]) => admin.run('retention', ...args)
const json = (...args: string[]) => admin.json('retention', ...args)

test('retention set changes the rules that the tenant reads, and none removes one', async () => {
  const none = { recordings_days: null, chat_days: null, handouts_days: null }
  expect(await json('show', ...tenant)).toEqual({ ...none, recordings_days_max: 365 })
  const set = await json('set', ...tenant, '--recordings', '90', '--chat', '3650')
  expect(set).toMatchObject({ recordings_days: 90, chat_days: 3650, handouts_days: null })
  expect(set.replaced).toBeNull()
  const changed = await json('set', ...tenant, '--chat', 'none', '--handouts', '1')
  expect(changed.replaced).toEqual({ chat_days: 3650 })
  const rules = { recordings_days: 90, chat_days: null, handouts_days: 1 }
  expect(await json('show', ...tenant)).toMatchObject(rules)
  expect((await plane.tenant.get('/retention')).data).toMatchObject(rules)
  expect((await plane.other.get('/retention')).data).toMatchObject(none)
})

test.each([
  [['--chat', '0'], 2, '--chat must be a number from 1 to 3650, or none'],
  [['--handouts', '3651'], 2, 'from 1 to 3650'],
  [['--recordings', 'many'], 2, 'from 1 to 3650'],
  [['--recordings', '366'], 1, '--recordings must be at most 365'],
])('retention set refuses %j', async (args, exitCode, message) => {
  const before = await json('show', ...tenant)
  const refused = await run('set', ...tenant, ...args)
  expect(refused).toMatchObject({ exitCode, stdout: '' })
  expect(refused.stderr).toContain(message)
  expect(await json('show', ...tenant)).toEqual(before)
})

test.each(['show', 'set'])('retention %s refuses an unknown tenant', async (verb) => {
  const refused = await run(verb, '--tenant', randomUUID())
  expect(refused.exitCode).toBe(1)
  expect(refused.stderr).toContain('there is no tenant')
})
