import { parseArgs } from 'node:util'
import { expect, test } from 'vitest'
import { argumentProblem } from './argument-problem.ts'

const options = {
  rooms: { type: 'string' },
  json: { type: 'boolean', short: 'j' },
} as const

function problemOf(...args: string[]) {
  try {
    return parseArgs({ args, options })
  } catch (error) {
    return argumentProblem(error)
  }
}

test.each([
  [['--nope'], 'there is no option --nope'],
  [['-x'], 'there is no option -x'],
  [['--rooms'], '--rooms needs a value'],
  [
    ['--rooms', '--json'],
    '--rooms needs a value; one that begins with "-" is written --rooms=<value>',
  ],
  [['--json=yes'], '--json takes no value'],
  [['stray'], 'unexpected "stray"'],
])('%j: %s', (args, sentence) => {
  expect(problemOf(...args)).toBe(sentence)
})

test('has nothing to say of another error', () => {
  expect(argumentProblem(new TypeError('x'))).toBeUndefined()
})
