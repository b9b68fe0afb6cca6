import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { adminCommands } from '../testing/admin-commands.ts'
import { useControlPlane } from '../testing/control-plane.ts'

const plane = useControlPlane()
const { run, json } = adminCommands(() => plane.deps)
let tenant: string[]
let roomId: string
const ANY_TENANT = ['--tenant', randomUUID()]
const PERSON = ['--external-type', 'User', '--external-id', '4711']

beforeAll(async () => {
  tenant = ['--tenant', plane.tenant.tenantId]
  roomId = (await plane.book()).id
})

describe('data-subjects', () => {
  test('erase stores an erasure of the operator, which the tenant reads, too', async () => {
    const erasure = await json('data-subjects', 'erase', ...tenant, ...PERSON, '--keep-recordings')
    expect(erasure).toMatchObject({
      state: 'pending',
      requested_by: 'operator',
      recordings: 'keep',
    })
    const asked = await plane.database.db`
      select key from jobs where kind = 'erase-data-subject' and key = ${erasure.id}
    `
    expect(asked).toHaveLength(1)
    expect((await plane.tenant.get(`/data-subjects/erasures/${erasure.id}`)).data).toEqual(erasure)
    expect(await json('data-subjects', 'show', '--erasure', erasure.id)).toEqual(erasure)
    expect(await json('data-subjects', 'erasures', ...tenant)).toEqual([erasure])

    const again = await json('data-subjects', 'erase', ...tenant, ...PERSON, '--keep-recordings')
    expect(again).toEqual(erasure)
    const refused = await run('data-subjects', 'erase', ...tenant, ...PERSON)
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain(`recordings must be keep, as in erasure ${erasure.id}`)
  })

  test('erase --dry-run counts and stores nothing', async () => {
    const before = await json('data-subjects', 'erasures', ...tenant)
    const preview = await json('data-subjects', 'erase', ...tenant, ...PERSON, '--dry-run')
    expect(preview).toMatchObject({ removed: { participants: 0 }, remains: [], waits_until: null })
    expect(await json('data-subjects', 'erasures', ...tenant)).toEqual(before)
  })

  test.each([
    [
      ['erase', ...ANY_TENANT, '--external-id', '1'],
      2,
      "required option '--external-type <type>' not specified",
    ],
    [
      ['erase', ...ANY_TENANT, '--external-type', 'User'],
      2,
      "required option '--external-id <id>' not specified",
    ],
    [
      ['erase', ...ANY_TENANT, '--external-type', 'x'.repeat(65), '--external-id', '1'],
      2,
      'at most 64',
    ],
    [['show', '--erasure', randomUUID(), ...ANY_TENANT], 2, "unknown option '--tenant'"],
    [['show', '--erasure', 'x'], 2, '--erasure must be an id'],
    [['show', '--erasure', randomUUID()], 1, 'there is no erasure'],
  ])('refuses %j', async (args, exitCode, message) => {
    const refused = await run('data-subjects', ...args)
    expect(refused).toMatchObject({ exitCode, stdout: '' })
    expect(refused.stderr).toContain(message)
  })

  test('refuses an unknown tenant', async () => {
    const refused = await run('data-subjects', 'erase', '--tenant', randomUUID(), ...PERSON)
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('there is no tenant')
  })
})

describe('legal-holds', () => {
  test('are placed on a room or a person, listed and released', async () => {
    const why = ['--reason', 'Case 1']
    const ofRoom = await json('legal-holds', 'place', ...tenant, '--room', roomId, ...why)
    const ofPerson = await json('legal-holds', 'place', ...tenant, ...PERSON, ...why)
    expect(ofRoom).toMatchObject({ room_id: roomId, external_id: null, reason: 'Case 1' })
    expect(ofPerson).toMatchObject({ room_id: null, external_type: 'User', external_id: '4711' })
    expect(await json('legal-holds', 'list', ...tenant)).toEqual([ofRoom, ofPerson])
    expect(await json('legal-holds', 'release', ...tenant, '--hold', ofRoom.id)).toEqual({
      legal_hold_id: ofRoom.id,
      released: true,
    })
    expect((await plane.tenant.get('/legal-holds')).data.items).toEqual([ofPerson])
    const again = await run('legal-holds', 'release', ...tenant, '--hold', ofRoom.id)
    expect(again).toMatchObject({ exitCode: 1, stdout: '' })
  })

  test.each([
    [['--reason', 'x'], 2, 'give either --room'],
    [['--reason', 'x', '--room', randomUUID(), ...PERSON], 2, 'give either --room'],
    [['--room', randomUUID()], 2, "required option '--reason <text>' not specified"],
    [['--room', randomUUID(), '--reason', 'x'.repeat(501)], 2, 'at most 500'],
    [['--room', randomUUID(), '--reason', 'x'], 1, 'no such room'],
  ])('refuse %j', async (args, exitCode, message) => {
    const refused = await run('legal-holds', 'place', ...tenant, ...args)
    expect(refused).toMatchObject({ exitCode, stdout: '' })
    expect(refused.stderr).toContain(message)
  })
})
