import { expect, test } from 'vitest'
import { supportOf } from './support.ts'

const able = { userAgent: '', isSecure: true, hasPeerConnection: true, hasDevices: true }

test.each([
  ['that can do everything', able, 'ok'],
  ['without peer connections', { ...able, hasPeerConnection: false }, 'too-old'],
  ['on an insecure address', { ...able, isSecure: false, hasDevices: false }, 'insecure'],
  ['inside an application', { ...able, userAgent: 'x Line/14.1 y', hasDevices: false }, 'in-app'],
] as const)('a browser %s is %s', (_, browser, support) => {
  expect(supportOf(browser)).toBe(support)
})
