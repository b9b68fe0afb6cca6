import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { StorageError } from '../ports/storage.ts'
import { connectProblem } from './connect-problem.ts'
import { SharedSession } from './own-session.ts'
import { OldPostgres } from './postgres-version.ts'
import { DatabaseLost, DatabaseUnavailable } from './unavailable.ts'

const URL_WITH_PASSWORD = 'postgres://user:geheim@db.example:5432/inter%20views'

const ofNetwork = (code: string) => Object.assign(new Error(`connect ${code} 1.2.3.4`), { code })
const ofPostgres = (code: string) => Object.assign(new DatabaseError('no', 2, 'error'), { code })

test.each([
  [
    ofNetwork('ECONNREFUSED'),
    /nothing answers at db.example:5432, where DATABASE_URL leads: start/,
  ],
  [ofNetwork('ENOTFOUND'), /the name of db.example:5432 in DATABASE_URL cannot be resolved/],
  [ofNetwork('ETIMEDOUT'), /DATABASE_URL leads, does not answer/],
  [new Error('timeout expired'), /DATABASE_URL leads, does not answer/],
  [ofNetwork('CERT_HAS_EXPIRED'), /certificate of PostgreSQL at db.example:5432 has expired or/],
  [ofNetwork('DEPTH_ZERO_SELF_SIGNED_CERT'), /is not trusted: renew it, or name its authority in/],
  [ofNetwork('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), /in sslrootcert of DATABASE_URL$/],
  [
    new DatabaseLost(false, { cause: ofNetwork('CERT_HAS_EXPIRED') }),
    /has expired or is not trusted/,
  ],
  [new Error('The server does not support SSL connections'), /offers no TLS, which DATABASE_URL/],
  [ofPostgres('28P01'), /refuses the user of DATABASE_URL: correct user and password/],
  [ofPostgres('28000'), /refuses the user of DATABASE_URL/],
  [ofPostgres('3D000'), /has no database "inter views", which DATABASE_URL names/],
  [ofPostgres('25006'), /only reads: DATABASE_URL must lead to the primary/],
  [new DatabaseLost(true), /only reads: DATABASE_URL must lead to the primary/],
  [ofPostgres('53300'), /has no connection left for DATABASE_URL: raise max_connections/],
  [ofPostgres('42501'), /the user of DATABASE_URL may not change the schema/],
  [
    new Error('extension "pg_trgm" is not available'),
    /db.example:5432 lacks the extension pg_trgm: install the package with/,
  ],
  [new SharedSession(), /a pooler in transaction mode: DATABASE_URL must lead to PostgreSQL/],
  [ofPostgres('08P01'), /a pooler that does not take the settings of a connection: DATABASE_URL/],
  [new OldPostgres(14), /is of version 14: DATABASE_URL must lead to 15 or later$/],
])('of %s it names the setting and what to do, and no password', (error, sentence) => {
  const problem = connectProblem(error, URL_WITH_PASSWORD)
  expect(problem).toMatch(sentence)
  expect(problem).not.toContain('geheim')
})

test('names the source of the address if it is no setting, and finds the cause inside a pool’s error', () => {
  const hidden = new DatabaseUnavailable('x', { cause: ofNetwork('ECONNREFUSED') })
  expect(connectProblem(hidden, URL_WITH_PASSWORD, '--into')).toContain('where --into leads')
})

test('finds the cause, not a word that the pool quotes from it', () => {
  const cause = ofPostgres('08P01')
  const message = 'the database cannot be asked: unsupported startup parameter: statement_timeout'
  const problem = connectProblem(new DatabaseUnavailable(message, { cause }), URL_WITH_PASSWORD)
  expect(problem).toMatch(/is a pooler/)
})

const ofStorage = new StorageError('S3: head failed: TimeoutError')

test.each([ofPostgres('42P01'), ofStorage, new TypeError('x'), 'x'])(
  'has nothing to say of %s',
  (error) => {
    expect(connectProblem(error, URL_WITH_PASSWORD)).toBeUndefined()
  },
)
