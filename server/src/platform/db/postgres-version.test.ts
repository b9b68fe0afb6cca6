import type { ClientBase } from 'pg'
import { expect, test } from 'vitest'
import { OldPostgres, requirePostgres } from './postgres-version.ts'

/** Answers as a server of that version. */
const serverOf = (major: number) =>
  ({ query: async () => ({ rows: [{ major }] }) }) as unknown as Pick<ClientBase, 'query'>

test('a PostgreSQL that is too old is refused by its version, and no newer one', async () => {
  await expect(requirePostgres(serverOf(14))).rejects.toThrow(OldPostgres)
  for (const major of [15, 17, 18, 30]) await requirePostgres(serverOf(major))
})
