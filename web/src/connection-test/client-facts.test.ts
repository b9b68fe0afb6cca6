import { expect, test } from 'vitest'
import { clientFactsOf } from './client-facts.ts'

function hints(platform: string, platformVersion: string, mobile = false) {
  const userAgentData = {
    platform,
    mobile,
    getHighEntropyValues: async () => ({ platformVersion }),
  }
  return { userAgent: 'x', maxTouchPoints: 0, userAgentData }
}

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const SAFARI = `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15`

test.each([
  ['Windows 11', hints('Windows', '15.0.0'), { platform_version: '11', is_mobile: false }],
  ['Windows 10', hints('Windows', '10.0.0'), { platform_version: '10', is_mobile: false }],
  ['macOS', hints('macOS', '15.1.0'), { platform_version: '15.1.0', is_mobile: false }],
  ['Linux, which reports none', hints('Linux', ''), { is_mobile: false }],
  ['an older Windows', hints('Windows', '0.3.0'), { is_mobile: false }],
  ['Android', hints('Android', '15', true), { platform_version: '15', is_mobile: true }],
  [
    'a tablet of Apple',
    { userAgent: SAFARI, maxTouchPoints: 5 },
    { platform_name: 'iPadOS', platform_version: '17.5', is_mobile: true },
  ],
  [
    'a tablet of Apple in another browser',
    { userAgent: MAC, maxTouchPoints: 5 },
    { platform_name: 'iPadOS', is_mobile: true },
  ],
  ['a browser that reports nothing more', { userAgent: MAC, maxTouchPoints: 0 }, {}],
])('reports what the page knows on %s', async (_what, navigator, facts) => {
  expect(await clientFactsOf(navigator)).toEqual(facts)
})

test('describes a browser that refuses the client hints by its user agent', async () => {
  const refusing = {
    platform: 'Windows',
    mobile: false,
    getHighEntropyValues: async () => Promise.reject(new Error('no')),
  }
  const facts = await clientFactsOf({ userAgent: 'x', maxTouchPoints: 0, userAgentData: refusing })
  expect(facts).toEqual({ is_mobile: false })
})
