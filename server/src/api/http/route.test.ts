import { getRoom } from '@interview-room/contract/operations/rooms.ts'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { admitOnly, route } from './route.ts'

const answer = async () => ({})

test('a plane takes operations that are declared for it and listed', () => {
  const app = Fastify()
  admitOnly(app, 'control')
  expect(() => route(app, getRoom, answer)).not.toThrow()
})

test('a plane refuses to start with an operation of another one', () => {
  const app = Fastify()
  admitOnly(app, 'board')
  expect(() => route(app, getRoom, answer)).toThrow(
    '/rooms/:room_id is not declared as an operation of the plane "board"',
  )
})

test('a plane refuses to start with an operation that clients and tests do not know, and names the list', () => {
  const app = Fastify()
  admitOnly(app, 'control')
  const unlisted = { ...getRoom, id: 'countNotes', path: '/rooms/{room_id}/notes-count' } as const
  expect(() => route(app, unlisted, answer)).toThrow(
    '/rooms/:room_id/notes-count is declared in a file that contract/src/operations.ts does not list',
  )
})
