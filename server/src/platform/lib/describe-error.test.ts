import { DatabaseError } from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { describeError } from './describe-error.ts'

function logged(error: unknown): string {
  const lines: string[] = []
  const log = pino(
    { serializers: { err: describeError } },
    { write: (line) => void lines.push(line) },
  )
  log.error({ err: error }, 'failed')
  return lines.join('')
}

function refusal(message: string): DatabaseError {
  return Object.assign(new DatabaseError(message, 1, 'error'), {
    code: '23505',
    detail: 'Key (external_id)=(cust-77819) already exists.',
    where: 'COPY participants, line 1: "Hanako"',
    constraint: 'participants_external_ref_is_unique_by_role',
  })
}

test('a refusal of the database is logged by code and place, without the row', () => {
  const line = logged(refusal('duplicate key value violates unique constraint "x"'))
  expect(line).toContain('23505')
  expect(line).toContain('participants_external_ref_is_unique_by_role')
  expect(line).not.toMatch(/cust-77819|Hanako/)
})

test('a value that the database refuses is not logged', () => {
  const line = logged(refusal('invalid input syntax for type uuid: "Hanako"'))
  expect(line).toContain('invalid input syntax for type uuid')
  expect(line).not.toContain('Hanako')
})

test('nor is it in the error that it caused', () => {
  const cause = refusal('invalid input syntax for type uuid: "Hanako"')
  const line = logged(new Error('storing failed', { cause }))
  expect(line).toContain('storing failed')
  expect(line).not.toMatch(/Hanako|cust-77819/)
})

test('other errors are logged as they are', () => {
  expect(logged(new Error('connect ECONNREFUSED'))).toContain('connect ECONNREFUSED')
})
