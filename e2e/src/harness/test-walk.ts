import type { Page } from 'playwright-core'
import type { PageStateName } from '../page-states.ts'
import type { Person, Surroundings } from './browser.ts'
import { DEVICES } from './limited-browsers.ts'
import { NAMES, type PageRecorder } from './page-recorder.ts'
import { begin, bookTest, measureConnection } from './subject.ts'
import { endButton, loading, testPage } from './test-page.ts'
import { SOON } from './wait.ts'

const RUN_MAX_MS = 120_000
/** The respondent of the pictures, by whom prejoin page and roster find the test. */
const TESTED = { locale: 'ja', external_type: 'User', external_id: NAMES.panelist }

type Look = (page: Page, name: PageStateName) => Promise<void>

async function open(
  recorder: PageRecorder,
  link: string,
  around: Surroundings = {},
): Promise<Person> {
  const person = await recorder.openLink(link, around)
  await loading(person.page).waitFor({ ...SOON, state: 'detached' })
  return person
}

/** A connection test from its first page to its result, with a snapshot of each. */
export async function expectTestTaken(recorder: PageRecorder, look: Look): Promise<void> {
  const { connect_url: link } = await bookTest(recorder.env.tenant, TESTED)
  const { page, context } = await open(recorder, link)
  await look(page, 'test-intro')
  await begin(page)
  await look(page, 'test-devices')
  await measureConnection(page)
  await look(page, 'test-measuring')
  await testPage(page, 'done').waitFor({ timeout: RUN_MAX_MS })
  await look(page, 'test-done')
  await context.close()
}

/** One that is too late, one whose link is bad, and one that finds no devices. */
export async function expectTestMissed(recorder: PageRecorder, look: Look): Promise<void> {
  const { connect_url: link } = await bookTest(recorder.env.tenant, { locale: 'ja' })
  const late = await open(recorder, link)
  await late.page.route(/\/live$/, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: object }
    await route.fulfill({ json: { ...body, data: { ...body.data, status: 'expired' } } })
  })
  await late.page.reload()
  await look(late.page, 'test-expired')
  await late.context.close()

  const bad = await open(recorder, link.replace(/#.*/, ''))
  await look(bad.page, 'test-bad-link')
  await bad.context.close()

  const { page, context } = await open(recorder, link, { before: DEVICES.denied })
  await begin(page)
  await endButton(page).click(SOON)
  await testPage(page, 'failed').waitFor(SOON)
  await look(page, 'test-failed')
  await context.close()
}
