import type { Locator, Page } from 'playwright-core'
import { ANYTHING, consoleText } from './words.ts'

// Locators of the tenant's console.

type Section =
  | 'rooms'
  | 'endpoints'
  | 'deliveries'
  | 'events'
  | 'apiKeys'
  | 'tokenKeys'
  | 'accessLog'
  | 'usage'

export const keyField = (page: Page): Locator =>
  page.getByLabel(consoleText((t) => t.signIn.apiKey))

export const signInButton = (page: Page): Locator =>
  page.getByRole('button', { name: consoleText((t) => t.signIn.submit) })

export const signOutButton = (page: Page): Locator =>
  page.getByRole('button', { name: consoleText((t) => t.signOut) })

export const sectionButton = (page: Page, section: Section): Locator =>
  page
    .getByRole('navigation')
    .getByRole('button', { name: consoleText((t) => t.sections[section]) })

/** The notice of a secret that the service shows only once. */
export const secretNotice = (page: Page): Locator =>
  page.getByRole('region', {
    name: consoleText((t) => [t.apiKeys.issued(ANYTHING), t.endpoints.secretOf(ANYTHING)]),
  })

/** The rows of the list of a section. */
export const rows = (page: Page, section: Section): Locator =>
  page.getByRole('list', { name: consoleText((t) => t.sections[section]) }).getByRole('listitem')

export const acceptedOutcome = (page: Page): Locator =>
  page.getByText(consoleText((t) => t.outcome.accepted(ANYTHING as never, ANYTHING as never)))
