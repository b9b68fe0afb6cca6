import type { ConnectionTestBody } from '@interview-room/contract/connection-tests.ts'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openAs, type Person, type Surroundings } from './browser.ts'
import type { Tenant } from './tenant.ts'
import type { TestEnvironment } from './test-environment.ts'
import { beginButton, loading, measureButton, testPage } from './test-page.ts'
import { LATER_MS, SOON, waitFor } from './wait.ts'

/** Books a test as a tenant's backend does. */
export async function bookTest(tenant: Tenant, asked: object = {}): Promise<ConnectionTestBody> {
  const body = { locale: 'en', ...asked }
  return waitFor(async () => dataOf(await tenant.call('POST', '/connection-tests', body)), {
    what: 'a test is booked',
  })
}

export async function testOf(tenant: Tenant, id: string): Promise<ConnectionTestBody> {
  const answer = await tenant.call('GET', `/connection-tests/${id}`)
  const test = await dataOf(answer)
  if (test === undefined) throw new Error(`test ${id} is answered with ${answer.status}`)
  return test
}

async function dataOf(answer: Response): Promise<ConnectionTestBody | undefined> {
  if (!answer.ok) return undefined
  return ((await answer.json()) as { data: ConnectionTestBody }).data
}

/** The test when it is over, whatever its end. */
export async function untilOver(tenant: Tenant, id: string): Promise<ConnectionTestBody> {
  return waitFor(
    async () => {
      const test = await testOf(tenant, id)
      return ['completed', 'failed', 'expired'].includes(test.status) && test
    },
    { what: `test ${id} is over`, timeoutMs: LATER_MS },
  )
}

/** Opens the link of a test and waits for its first page. */
export async function openTest(
  browser: Browser,
  test: ConnectionTestBody,
  surroundings: Surroundings = {},
): Promise<Person> {
  const person = await openAs(browser, test.connect_url, surroundings)
  await loading(person.page).waitFor({ ...SOON, state: 'detached' })
  return person
}

/** Goes from the first page to the device check. */
export async function begin(page: Page): Promise<void> {
  await beginButton(page).click(SOON)
  await testPage(page, 'devices').waitFor(SOON)
}

/** Goes from the device check to the measured run. */
export async function measureConnection(page: Page): Promise<void> {
  await measureButton(page).click(SOON)
  await testPage(page, 'measuring').waitFor(SOON)
}

/** A test of a person who follows all instructions, from its booking to its end. */
export async function takeTest(
  { tenant, browser }: Pick<TestEnvironment, 'tenant' | 'browser'>,
  asked: object = {},
  surroundings: Surroundings = {},
): Promise<ConnectionTestBody> {
  const booked = await bookTest(tenant, asked)
  const { page, context } = await openTest(browser, booked, surroundings)
  await begin(page)
  await measureConnection(page)
  const over = await untilOver(tenant, booked.id)
  await context.close()
  return over
}

/** Ids of the webhooks that reported the end of a test: a webhook may come twice, under one id. */
export function deliveredEnds(
  { receiver }: Pick<TestEnvironment, 'receiver'>,
  id: string,
): string[] {
  const delivered = receiver.received.filter(
    ({ type, data }) => type === 'connection_test.completed' && data['connection_test_id'] === id,
  )
  expect(delivered.every(({ isVerified }) => isVerified)).toBe(true)
  return [...new Set(delivered.map((webhook) => webhook.id))]
}
