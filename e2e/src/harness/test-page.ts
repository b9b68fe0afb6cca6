import type { ConnectionTestFailure } from '@interview-room/contract/vocabulary.ts'
import type { testEn } from '@interview-room/web/src/i18n/test-en.ts'
import type { Locator, Page } from 'playwright-core'
import { testText } from './words.ts'

// Locators of a connection test's page.

const TITLES = {
  devices: testText((t) => t.devices.title),
  measuring: testText((t) => t.measuring.title),
  done: testText((t) => t.done.title),
  failed: testText((t) => t.failed.title),
  expired: testText((t) => t.expired.title),
  badLink: testText((t) => t.badLink.title),
  elsewhere: testText((t) => t.elsewhere.title),
}

/** A page of the test, found by its heading, only while it is visible. */
export function testPage(page: Page, which: keyof typeof TITLES): Locator {
  const heading = page.getByRole('heading', { level: 1, name: TITLES[which] })
  return page.getByRole('main').filter({ has: heading })
}

/** Disappears as soon as the service has answered. */
export const loading = (page: Page): Locator =>
  page.getByRole('status').getByText(testText((t) => t.loading))

/** The first page, which has the name of the test and a button to begin. */
export const introPage = (page: Page): Locator =>
  page.getByRole('main').filter({ has: beginButton(page) })

export const beginButton = (page: Page): Locator =>
  page.getByRole('button', { name: testText((t) => t.intro.begin) })

/** The button from the device check to the measured run; enabled as soon as the devices are ready. */
export function measureButton(page: Page, state?: 'enabled'): Locator {
  const name = testText((t) => t.devices.next)
  return page.getByRole('button', { name, ...(state === 'enabled' && { disabled: false }) })
}

/** The same button if there is no camera and the test may continue without one. */
export const measureWithoutCameraButton = (page: Page): Locator =>
  page.getByRole('button', { name: testText((t) => t.devices.nextWithoutCamera) })

/** Ends a test that cannot continue. */
export const endButton = (page: Page): Locator =>
  page.getByRole('button', { name: testText((t) => t.devices.end) })

/** Says that the sound of the speaker was heard. */
export const heardButton = (page: Page): Locator =>
  page
    .getByRole('group', { name: testText((t) => t.devices.heard) })
    .getByRole('button', { name: testText((t) => t.devices.yes) })

export const againButton = (page: Page): Locator =>
  page.getByRole('button', { name: testText((t) => t.again.action) })

/** The current step of the measured run. */
export function step(page: Page, which: keyof typeof testEn.measuring.steps): Locator {
  return page.getByRole('status').getByText(testText((t) => t.measuring.steps[which]))
}

/** The end of a test that failed, for this reason. */
export function failedPage(page: Page, reason: ConnectionTestFailure): Locator {
  const why = page.getByText(testText((t) => t.failure[reason]))
  return testPage(page, 'failed').filter({ has: why })
}
