import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type Machine, startFreshClone, type Surroundings } from '../testing/fresh-clone.ts'
import { IS_FULL_RUN } from '../testing/scope.ts'

/** The README's first command on other machines than this one. docs/adr/0001 says why it could fail. */

const PAGE = '200 text/html; charset=utf-8'
const NODE_20: Machine = { node: '20.20.2', npm: '10.8.2' }

test('npm install && npm start serves a page with Node 20 and its npm', async () => {
  const { page, printed } = await startFreshClone(NODE_20)
  expect(page, printed).toBe(PAGE)
})

test.runIf(IS_FULL_RUN).each<[node: string, npm: string]>([
  // Debian 13 has these two.
  ['20.19.2', '9.2.0'],
  ['20.20.2', '9.9.4'],
  ['20.20.2', '10.2.4'],
  ['20.20.2', '11.0.0'],
  ['22.23.3', '10.9.9'],
  ['22.23.3', '11.5.2'],
  ['24.21.0', '11.6.2'],
])('npm install && npm start serves a page with Node %s and npm %s', async (node, npm) => {
  const { page, printed } = await startFreshClone({ node, npm })
  expect(page, printed).toBe(PAGE)
})

const NOBODY = 65_534
const NAMESPACE = 'interview-room-without-ipv6'
const SURROUNDINGS: readonly [string, Surroundings][] = [
  ['on a path with spaces and letters beyond ASCII', { folder: 'インタビュー (ü) room' }],
  ['as a user without a home folder', { userId: NOBODY, env: { HOME: undefined } }],
  // Nobody can write there, not even root, and no variable names another cache.
  [
    'with a home folder that cannot be written',
    { env: { HOME: '/sys', npm_config_cache: undefined } },
  ],
  ['without IPv6', { inside: ['ip', 'netns', 'exec', NAMESPACE] }],
]

test.runIf(IS_FULL_RUN && process.getuid?.() === 0).each(SURROUNDINGS)(
  'npm install && npm start serves a page %s',
  async (_name, surroundings) => {
    const { inside } = surroundings
    if (inside !== undefined) addNetworkWithoutIpv6()
    try {
      const { page, printed } = await startFreshClone(NODE_20, surroundings)
      expect(page, printed).toBe(PAGE)
    } finally {
      if (inside !== undefined) ip('netns', 'delete', NAMESPACE)
    }
  },
)

function ip(...args: string[]): void {
  execFileSync('ip', args)
}

/** A network namespace with nothing but a loopback device, and no IPv6 on that. */
function addNetworkWithoutIpv6(): void {
  ip('netns', 'add', NAMESPACE)
  ip('netns', 'exec', NAMESPACE, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6')
  ip('netns', 'exec', NAMESPACE, 'ip', 'link', 'set', 'lo', 'up')
}
