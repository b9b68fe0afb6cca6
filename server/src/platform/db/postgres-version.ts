import type { ClientBase } from 'pg'

/** The lowest that the service runs on; docs/operations.md#database names it. */
export const POSTGRES_MAJOR_MIN = 15

/** PostgreSQL is older than the service can use. */
export class OldPostgres extends Error {
  override name = 'OldPostgres'
  readonly major: number

  constructor(major: number) {
    super(`PostgreSQL is of version ${major}, and the service needs ${POSTGRES_MAJOR_MIN} or later`)
    this.major = major
  }
}

/** A pooler may let in while PostgreSQL is away, and a PostgreSQL whose disk hangs does. */
const ASK_VERSION = {
  text: `select current_setting('server_version_num')::int / 10000 as major`,
  query_timeout: 5_000,
}

/** Throws `OldPostgres` before a statement fails whose error would not show the reason, and if there is no answer within 5 s. */
export async function requirePostgres(client: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ major: number }>(ASK_VERSION)
  const major = rows[0]?.major ?? 0
  if (major < POSTGRES_MAJOR_MIN) throw new OldPostgres(major)
}
