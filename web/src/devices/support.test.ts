import { expect, test } from 'vitest'
import { permissionPlaceOf, supportOf } from './support.ts'

const able = { userAgent: '', isSecure: true, hasPeerConnection: true, hasDevices: true }

test.each([
  ['that can do everything', able, 'ok'],
  ['without peer connections', { ...able, hasPeerConnection: false }, 'too-old'],
  ['on an insecure address', { ...able, isSecure: false, hasDevices: false }, 'insecure'],
  ['inside an application', { ...able, userAgent: 'x Line/14.1 y', hasDevices: false }, 'in-app'],
] as const)('a browser %s is %s', (_, browser, support) => {
  expect(supportOf(browser)).toBe(support)
})

const APPLE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'

test.each([
  ['Safari on a phone', `${APPLE} Version/17.4 Mobile/15E148 Safari/604.1`, 'safari'],
  ['Chrome on an Apple phone', `${APPLE} CriOS/123.0 Mobile/15E148 Safari/604.1`, 'appSettings'],
  ['Firefox on an Apple phone', `${APPLE} FxiOS/124.0 Mobile/15E148 Safari/605.1`, 'appSettings'],
  ['Edge on an Apple phone', `${APPLE} EdgiOS/122.0 Version/17.0 Safari/604.1`, 'appSettings'],
  ['LINE on an Apple phone', `${APPLE} Mobile/15E148 Safari Line/14.4.0`, 'in-app'],
  [
    'LINE on Android',
    `${ANDROID} Version/4.0 Chrome/122.0 Mobile Safari/537.36 Line/14.4`,
    'in-app',
  ],
  ['Instagram on Android', `${ANDROID} Version/4.0 Chrome/122.0 Instagram 321.0`, 'in-app'],
  ['Chrome on Android', `${ANDROID} Chrome/123.0 Mobile Safari/537.36`, 'chrome'],
  ['Firefox on a computer', `${WINDOWS} Gecko/20100101 Firefox/124.0`, 'firefox'],
  [
    'Edge on a computer',
    `${WINDOWS} AppleWebKit/537.36 Chrome/122.0 Safari/537.36 Edg/122.0`,
    'chrome',
  ],
] as const)('the permission of %s is changed in its own place', (_, userAgent, place) => {
  expect(permissionPlaceOf({ userAgent, isKeptByFrame: false })).toBe(place)
})

test('no browser setting changes a refusal by the embedding page', () => {
  const userAgent = `${WINDOWS} Gecko/20100101 Firefox/124.0`
  expect(permissionPlaceOf({ userAgent, isKeptByFrame: true })).toBe('frame')
})
