import { expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { listenProblem } from './listen-problem.ts'

const at = {
  host: '127.0.0.1',
  port: 90,
  names: { host: 'OPERATIONS_HOST', port: 'OPERATIONS_PORT' },
}
const failing = (code: string) => Object.assign(new Error(code), { code })

test.each([
  [
    'EADDRINUSE',
    'OPERATIONS_PORT 90 on 127.0.0.1 is taken by another program: set OPERATIONS_PORT',
  ],
  ['EACCES', 'OPERATIONS_PORT 90 may not be opened by this user: set OPERATIONS_PORT'],
  ['EADDRNOTAVAIL', 'OPERATIONS_HOST 127.0.0.1 is no address of this machine'],
])('%s names the setting and what to do', (code, sentence) => {
  const problem = listenProblem(failing(code), at)
  expect(problem).toBeInstanceOf(ConfigError)
  expect(String(problem)).toContain(sentence)
})

test('another error stays as it is', () => {
  const error = failing('EMFILE')
  expect(listenProblem(error, at)).toBe(error)
})
