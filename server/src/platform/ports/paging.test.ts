import { describe, expect, test } from 'vitest'
import { createPaging } from './paging.ts'

const ROWS = Array.from({ length: 45 }, (_none, at) => at + 1)
const SCOPE = { list: 'logs', tenantId: 't1', filters: { roomId: 'r1', role: undefined } }

const paging = createPaging(Buffer.alloc(32, 1))

function read(query: { cursor?: string; limit?: number }, scope = SCOPE, by = paging) {
  return by.page(query, scope, {
    rows: async ({ limit, after }) =>
      ROWS.filter((row) => row > Number(after ?? 0)).slice(0, limit + 1),
    positionOf: String,
    present: (row) => row,
  })
}

async function cursorOfFirst(): Promise<string> {
  return (await read({})).next_cursor ?? ''
}

describe('a page', () => {
  // contract: Pagination › A page has 20 items by default
  test('has 20 items by default', async () => {
    expect((await read({})).items).toHaveLength(20)
    expect((await read({ limit: 7 })).items).toHaveLength(7)
  })

  // contract: Pagination › `cursor` is the opaque `next_cursor`, which is null at the end;
  //   `has_more` says the same
  test('continues after the one before, and the last one has no next_cursor', async () => {
    const first = await read({})
    const second = await read({ cursor: first.next_cursor ?? '' })
    const third = await read({ cursor: second.next_cursor ?? '' })
    expect([first.has_more, second.has_more, third.has_more]).toEqual([true, true, false])
    expect(third.next_cursor).toBeNull()
    expect([...first.items, ...second.items, ...third.items]).toEqual(ROWS)
  })

  // contract: Pagination › An exactly full last page has no `next_cursor`
  test('that is exactly full says that there is no more', async () => {
    expect(await read({ limit: ROWS.length })).toEqual({
      items: ROWS,
      next_cursor: null,
      has_more: false,
    })
  })
})

describe('a cursor', () => {
  // contract: Pagination › A cursor is opaque Base64
  test('is Base64 that reveals nothing of its content', async () => {
    expect(await cursorOfFirst()).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  // contract: Pagination › A cursor of another tenant, list or filter: 400 INVALID_REQUEST
  test.each<[string, Partial<typeof SCOPE>]>([
    ['another list', { list: 'others' }],
    ['another tenant', { tenantId: 't2' }],
    ['another room', { filters: { roomId: 'r2', role: undefined } }],
  ])('of %s is 400 INVALID_REQUEST', async (_whose, other) => {
    const cursor = await cursorOfFirst()
    await expect(read({ cursor }, { ...SCOPE, ...other })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ field: 'cursor', code: 'INVALID_FORMAT' }],
    })
  })

  // contract: Pagination › A forged cursor: 400 INVALID_REQUEST
  test('returns 400 INVALID_REQUEST for a cursor with any changed character', async () => {
    const cursor = await cursorOfFirst()
    for (let at = 0; at < cursor.length; at += 1) {
      const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
      await expect(read({ cursor: changed })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    }
    for (const spelt of [`${cursor}=`, ` ${cursor}`, '', 'AAAA']) {
      await expect(read({ cursor: spelt })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    }
  })

  test('signed with the previous key continues the list', async () => {
    const rotated = createPaging(Buffer.alloc(32, 2), Buffer.alloc(32, 1))
    const next = await read({ cursor: await cursorOfFirst() })
    expect(await read({ cursor: await cursorOfFirst() }, SCOPE, rotated)).toMatchObject({
      items: next.items,
    })
  })

  test('signed with another key is 400 INVALID_REQUEST', async () => {
    const other = createPaging(Buffer.alloc(32, 2))
    const cursor = await cursorOfFirst()
    await expect(read({ cursor }, SCOPE, other)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
  })
})
