import type { Locator, Page } from 'playwright-core'
import { shareText } from './words.ts'

export const shareButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: shareText((t) => t.open), exact: true })

export const shareDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: shareText((t) => t.title) })

export const shareForm = (page: Page): Locator => shareDialog(page).locator('form')

/** The address of the newest link. */
export const lastLink = (page: Page): Locator =>
  shareDialog(page)
    .getByRole('textbox', { name: shareText((t) => t.link), exact: true })
    .first()

export const gateField = (page: Page, field: 'password' | 'name'): Locator =>
  page.getByLabel(shareText((t) => t.gate[field]))

export const openGate = (page: Page): Locator =>
  page.getByRole('button', { name: shareText((t) => t.gate.open), exact: true })

export const sharedClip = (page: Page): Locator =>
  page.getByLabel(shareText((t) => t.clipPage.video))
