import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X %s) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const safariOn = (system: string) => `${MAC.replace('%s', system)} Version/17.5 Safari/605.1.15`
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0'
const LINUX =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML) Chrome/130.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

test.each([
  ['Windows', WINDOWS, { platformName: 'Windows', platformVersion: 'NT 10.0' }],
  ['an iPhone', IPHONE, { platformName: 'iOS', platformVersion: '17.5' }],
  ['an older Mac', safariOn('10_14_6'), { platformName: 'macOS', platformVersion: '10.14.6' }],
  ['a newer Mac, which hides it', safariOn('10_15_7'), { platformVersion: null }],
  ['Linux, which does not report it', LINUX, { platformName: 'Linux', platformVersion: null }],
])('%s: the platform version is correct, or null', (_what, userAgent, known) => {
  expect(deviceOf(userAgent)).toMatchObject(known)
})

test('values from the page take precedence over the header', () => {
  const reported = { platform_version: '15.1.0' }
  expect(deviceOf(safariOn('10_15_7'), reported).platformVersion).toBe('15.1.0')
})
