import { expect, test } from 'vitest'
import { byRole, worstFirst } from './people-by-role.ts'
import { panelist } from './testing/rooms.ts'

test('people stand by role, and the roles that an interview needs also when nobody came', () => {
  const observer = { ...panelist('Ken'), role: 'observer' } as const
  expect(byRole([observer]).map(({ role, inside }) => [role, inside.length])).toEqual([
    ['panelist', 0],
    ['moderator', 0],
    ['observer', 1],
  ])
})

test('the person with the worst connection stands for the others', () => {
  const people = ([null, 'good', 'lost', 'poor'] as const).map((line) => ({
    ...panelist(`${line}`),
    line,
  }))
  expect(worstFirst(people).map(({ line }) => line)).toEqual(['lost', 'poor', 'good', null])
})
