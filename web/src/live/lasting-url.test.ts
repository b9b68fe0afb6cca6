import { expect, test } from 'vitest'
import { lastingUrl } from './lasting-url.ts'

test.each([
  ['stays while it loads, whatever was signed since', { latest: '/b', failed: [] }, '/a', false],
  ['is the newest after it failed', { latest: '/b', failed: ['/a'] }, '/b', false],
  ['cannot be shown without a newer address', { latest: '/a', failed: ['/a'] }, '/a', true],
  ['cannot be shown after the newest failed', { latest: '/b', failed: ['/a', '/b'] }, '/b', true],
  ['is tried again when another is signed', { latest: '/c', failed: ['/a', '/b'] }, '/c', false],
])('the address of a file %s', (...[, { latest, failed }, url, hasFailed]) => {
  expect(lastingUrl({ first: '/a', latest, failed })).toEqual({ url, hasFailed })
})
