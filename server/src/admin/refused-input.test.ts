import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBoardTokens } from '../domain/board/board-token.ts'
import { raw } from '../platform/db/db.ts'
import { ensureServiceKey } from '../platform/service-keys/ensure-service-key.ts'
import { useAdminTenant } from '../testing/admin-commands.ts'
import { createTestDeps } from '../testing/deps.ts'

const admin = useAdminTenant()
const { run, json } = admin
const PERSON = ['--external-type', 'User', '--external-id', '4711']

beforeAll(() => ensureServiceKey(createTestDeps({ db: admin.db })))

/** The first line of the refusal, with the exit code. */
async function refusal(noun: string, verb: string, ...options: string[]) {
  const { exitCode, stdout, stderr } = await run(noun, verb, '--tenant', admin.tenantId, ...options)
  expect(stdout).toBe('')
  return [exitCode, stderr.split('\n')[0]]
}

describe('as the API, the command line refuses', () => {
  test.each([
    [
      'token-keys add',
      ['--kid', 'k', '--generate', '--not-before', '2031-01-02', '--not-after', '2031-01-01'],
      '--not-after must be after --not-before',
    ],
    [
      'webhooks redeliver',
      ['--since', '2026-01-02', '--until', '2026-01-01'],
      '--until must be after --since',
    ],
    ['api-keys issue', ['--note', 'n'.repeat(256)], '--note must be 1 to 255 printable characters'],
  ])('%s %j', async (command, options, sentence) => {
    const [noun = '', verb = ''] = command.split(' ')
    expect(await refusal(noun, verb, ...options)).toEqual([2, sentence])
  })
})

describe('no option is passed over in silence', () => {
  test.each([
    [
      'webhooks redeliver',
      ['--event', 'evt_1', '--until', '2026-01-01'],
      '--until and --type go with --since',
    ],
    [
      'webhooks redeliver',
      ['--event', 'evt_1', '--type', 'room.closed'],
      '--until and --type go with --since',
    ],
    [
      'legal-holds place',
      ['--reason', 'r', '--room', randomUUID(), '--external-type', 'User'],
      'give either --room, or --external-type and --external-id',
    ],
    [
      'legal-holds place',
      ['--reason', 'r', '--room', randomUUID(), ...PERSON],
      'give either --room, or --external-type and --external-id',
    ],
  ])('of %s %j', async (command, options, sentence) => {
    const [noun = '', verb = ''] = command.split(' ')
    expect(await refusal(noun, verb, ...options)).toEqual([2, sentence])
  })
})

test.each(['', ' ', 'a\u0007b', 'n'.repeat(256)])('a tenant is not named %j', async (name) => {
  expect((await run('tenants', 'create', '--name', name)).exitCode).toBe(2)
})

test('a scope and a role that are given twice count once', async () => {
  const tenant = ['--tenant', admin.tenantId]
  const twice = ['--scope', 'control', '--scope', 'control']
  expect((await json('api-keys', 'issue', ...tenant, ...twice)).scopes).toEqual(['control'])
  const roles = ['--role', 'moderator', '--role', 'moderator']
  await json('token-keys', 'add', ...tenant, '--kid', 'twice', '--generate', ...roles)
  expect(await json('token-keys', 'list', ...tenant)).toMatchObject([
    { kid: 'twice', allowed_roles: ['moderator'] },
  ])
})

test('the board links of an operator are ended in whatever form the name is written', async () => {
  const operator = ['--tenant', admin.tenantId, '--operator', 'カ\u3099イド']
  const { url } = await json('operators', 'board-link', ...operator)
  expect(await json('operators', 'end-board-links', ...operator)).toMatchObject({ ended: 1 })
  const boardTokens = createBoardTokens(createTestDeps({ db: admin.db }))
  const [, token] = url.split('#token=')
  await expect(boardTokens.verify(`Bearer ${token}`)).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
})

test.each([
  ['a table', 'alter table erasures rename to later', 'alter table later rename to erasures'],
  [
    'a column',
    'alter table erasures rename column receipt to later',
    'alter table erasures rename column later to receipt',
  ],
])(
  'without %s of this release, a command says that the database is to be migrated',
  async (_what, away, back) => {
    const { db } = admin
    await db`${raw(away)}`
    const { exitCode, stderr } = await run('data-subjects', 'show', '--erasure', randomUUID())
    await db`${raw(back)}`
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^could not be done: the database does not have the schema of this release: run "npm run migrate" \(.*\)\n$/,
      ),
    ])
  },
)
