import { expect, test } from 'vitest'
import { clientProblem } from './clients.ts'
import { clientEnv } from './copy-database.ts'

const OF_18 = { program: 'pg_dump', source: 18, into: 18 }

test.each([
  [
    { ...OF_18, said: 'pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n' },
    /^pg_dump in PATH is of version 15, and PostgreSQL of DATABASE_URL of 18: install .* set PATH/,
  ],
  [{ ...OF_18, said: undefined }, /^there is no pg_dump in PATH: install .* 18 and set PATH/],
  [
    { ...OF_18, into: 17, said: 'pg_dump (PostgreSQL) 18.1\n' },
    /^PostgreSQL of --into is of version 17/,
  ],
])('of %j the drill says what to set', (found, sentence) => {
  expect(clientProblem(found)).toMatch(sentence)
})

test.each(['pg_dump (PostgreSQL) 18.1', 'pg_dump (PostgreSQL) 19beta1'])('%s will do', (said) => {
  expect(clientProblem({ ...OF_18, said })).toBeUndefined()
})

test.each([
  ['postgres://a%40b:c%23d@db:5433/rooms', { PGHOST: 'db', PGPORT: '5433', PGUSER: 'a@b' }],
  ['postgres://u:c%23d@[::1]/rooms', { PGHOST: '::1', PGPORT: '5432' }],
  ['postgres:///rooms?host=/run/postgresql&user=u&password=c%23d', { PGHOST: '/run/postgresql' }],
  [
    'postgres://u:c%23d@db/rooms?sslmode=verify-full&sslrootcert=/etc/ca.pem',
    { PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/etc/ca.pem' },
  ],
])('the clients of PostgreSQL go where the service goes: %s', (url, expected) => {
  const always = { PGDATABASE: 'rooms', PGPASSWORD: 'c#d' }
  expect(clientEnv(url)).toMatchObject({ ...always, ...expected })
})
