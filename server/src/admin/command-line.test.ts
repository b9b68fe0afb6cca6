import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { useAdminTenant } from '../testing/admin-commands.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'
import { openAdminDeps } from './open-deps.ts'
import { runAdmin } from './run-admin.ts'

const { run } = useAdminTenant()

describe('the command line', () => {
  test.each([
    ['an unknown noun', ['cats', 'list']],
    ['an unknown verb', ['tenants', 'eat']],
    ['an unknown option', ['tenants', 'list', '--colour', 'red']],
    ['a missing option', ['tenants', 'create']],
    ['a malformed id', ['api-keys', 'list', '--tenant', 'x']],
    ['one word too many', ['tenants', 'list', 'more']],
    ['a noun without a verb', ['tenants']],
  ])('answers %s with exit code 2', async (_what, args) => {
    const { exitCode, stdout, stderr } = await run(...args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain('--help')
  })

  test.each([['deliveries'], ['endpoints'], ['check']])(
    'refuses a verb that %s does not have',
    async (noun) => {
      const { exitCode, stderr } = await run(noun, 'due')
      expect(exitCode).toBe(2)
      expect(stderr).toContain(`too many arguments for '${noun}'`)
    },
  )

  const LIMIT = ['tenants', 'limit', '--tenant', randomUUID()]

  test.each([
    ['--rooms must be a number from 1 to 1000000', [...LIMIT, '--rooms', '-3']],
    ["option '--rooms <n>' argument missing", [...LIMIT, '--rooms']],
    ['--rooms needs a value', [...LIMIT, '--rooms', '--json']],
    ["unknown option '--room-count'", [...LIMIT, '--room-count', '3']],
    ["unknown option '--chat'", [...LIMIT, '--chat', '3']],
    ["unknown option '--json=yes'", [...LIMIT, '--json=yes']],
    ["required option '--tenant <id>' not specified", ['tenants', 'limit', '--rooms', '3']],
  ])('says "%s" of %j, and how it is used', async (sentence, args) => {
    const { exitCode, stderr } = await run(...args)
    expect(exitCode).toBe(2)
    expect(stderr.split('\n')[0]).toContain(sentence)
    expect(stderr.split('\n')[1]).toBe(
      'Usage: npm run admin -- tenants limit --tenant <id> [--requests-per-min <n>] [--rooms <n>] [--stored-gb <n>]',
    )
  })

  test('names the setting of a database that is not there, and not its password', async () => {
    const url = 'postgres://u:geheim@127.0.0.1:1/none'
    const opened = () => openAdminDeps({ ...TEST_ENVIRONMENT, DATABASE_URL: url })
    const { exitCode, stderr } = await runAdmin(['tenants', 'list'], opened)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^could not be done: nothing answers at 127.0.0.1:1, where DATABASE_URL/)
    expect(stderr).not.toContain('geheim')
  })

  test('answers an unknown tenant with exit code 1', async () => {
    const { exitCode, stderr } = await run('api-keys', 'issue', '--tenant', randomUUID())
    expect(exitCode).toBe(1)
    expect(stderr).toContain('there is no tenant')
  })

  test.each([[[]], [['--help']], [['webhooks', '--help']], [['tenants', 'create', '--help']]])(
    'has help for %j',
    async (args) => {
      const { exitCode, stdout } = await run(...args)
      expect(exitCode).toBe(0)
      expect(stdout).toContain('Usage: npm run admin')
    },
  )

  test('lists every command in its help, and the verbs of one noun in that of the noun', async () => {
    const all = (await run('--help')).stdout
    for (const name of [
      'tenants create',
      'webhooks redeliver',
      'jobs',
      'jobs retry',
      'check files',
    ])
      expect(all).toMatch(new RegExp(`^  ${name} {2}`, 'm'))
    const ofNoun = (await run('webhooks', '--help')).stdout
    expect(ofNoun).toContain('  webhooks redeliver ')
    expect(ofNoun).not.toContain('tenants create')
  })
})
