import { expect, test } from 'vitest'
import { readEnvironment } from '../lib/environment.ts'
import { readTrustedProxies } from './trusted-proxies.ts'

test.each([
  [undefined, 0],
  ['false', 0],
  ['true', 1],
  ['1', 1],
  ['2', 2],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['10.0.0.0/8, 2001:db8::/32,192.0.2.1', ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']],
])('TRUST_PROXY=%s is read', (text, expected) => {
  const read = readEnvironment({ TRUST_PROXY: text })
  expect(readTrustedProxies(read)).toEqual(expected)
  expect(read.problems).toEqual([])
})

test.each(['yes', '12', '10.0.0.0/33', '10.0.0/8', 'proxy.internal', '10.0.0.1,'])(
  'TRUST_PROXY=%s is refused in words',
  (text) => {
    const read = readEnvironment({ TRUST_PROXY: text })
    readTrustedProxies(read)
    expect(read.problems).toEqual([expect.stringContaining('TRUST_PROXY must be')])
  },
)
