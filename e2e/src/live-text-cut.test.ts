import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type FaultProxy, startFaultProxy } from '@interview-room/server/src/testing/fault-proxy.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { COUNTER_RATE, tonesOf } from '@interview-room/server/src/testing/spoken-counter.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiParticipant, connectAgreed } from './harness/api-participant.ts'
import { panelButtons } from './harness/room-page.ts'
import { NODE, ROOT } from './harness/service.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { captionsText } from './harness/words.ts'

const VENDOR = path.join(ROOT, 'server/src/testing/live-vendors/counter-vendor.ts')
const FRAME = COUNTER_RATE / 100
/** From one number to the next. */
const EVERY_SEC = 0.6
const READ = /\/live\/(?:stream|changes|transcript)/
/** Utterances that a reader misses. */
const MISSED = 2

let vendor: ChildProcess
let proxy: FaultProxy
let moderator: ApiParticipant
let page: Page

// Before the service starts: its settings name the address.
beforeAll(async () => {
  vendor = spawn(NODE, [VENDOR], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (vendor.stdout === null) throw new Error('the vendor has no output')
  const [port] = (await once(createInterface({ input: vendor.stdout }), 'line')) as [string]
  proxy = await startFaultProxy(`http://127.0.0.1:${port}`)
})
afterAll(async () => {
  await proxy.close()
  vendor.kill('SIGKILL')
})

const env = useTestEnvironment({
  ownService: {
    env: () => ({
      LIVE_TEXT_ENGINES: 'soniox',
      TRANSCRIPTION_SONIOX_KEY: 'none',
      LIVE_TEXT_SONIOX_URL: proxy.url.replace('http', 'ws'),
    }),
  },
})

beforeAll(async () => {
  if (!IS_FULL_RUN) return
  const whose = ['--tenant', env.service.local.tenant_id]
  await env.service.admin('tenants', 'live-text', ...whose, '--for', 'staff')
  const { id: roomId } = await env.tenant.book({ room: { archive_mode: 'manual' } })
  moderator = await env.enterByHand({ roomId, role: 'moderator', name: 'Mori' })
  const client = await connectAgreed(moderator)
  await client.play(countForever(), COUNTER_RATE)
  const reader = await env.enter({ roomId, role: 'observer', name: 'Ono' }, { staysOpen: true })
  page = reader.page
  await panelButtons(page)
    .filter({ hasText: captionsText((t) => t.transcript.tab) })
    .click(SOON)
  await waitFor(async () => (await lines(page).count()) > MISSED, { what: 'some lines' })
})

function* countForever(): Generator<Int16Array> {
  for (let number = 1000; ; number += 1) {
    const sound = new Int16Array(EVERY_SEC * COUNTER_RATE)
    const tones = tonesOf(String(number))
    sound.set(new Int16Array(tones.buffer, tones.byteOffset, tones.length / 2))
    for (let at = 0; at < sound.length; at += FRAME) yield sound.slice(at, at + FRAME)
  }
}

const captions = (of: Page) => of.locator('[data-captions]')
const lines = (of: Page) =>
  of
    .getByRole('region', { name: captionsText((t) => t.transcript.title) })
    .getByRole('log')
    .getByRole('listitem')

/** The numbers of the transcript on the page, in order. */
async function numbersOn(of: Page): Promise<number[]> {
  const texts = await lines(of).locator('p:last-child').allInnerTexts()
  return texts.join(' ').split(/\s+/).filter(Boolean).map(Number)
}

async function storedTexts(): Promise<string[]> {
  const { items } = await moderator.get<{ items: { text: string }[] }>('/transcript')
  return items.map(({ text }) => text)
}

/** Waits until so many more utterances are stored; answers all. */
async function untilMoreStored(count: number): Promise<string[]> {
  const before = (await storedTexts()).length
  await waitFor(async () => (await storedTexts()).length >= before + count, {
    what: `${count} more utterances`,
  })
  return storedTexts()
}

/** The numbers after which the next one is not the following. */
const breaksIn = (numbers: readonly number[]) =>
  numbers.slice(1).filter((number, at) => number !== (numbers[at] ?? 0) + 1)

/** Waits until the page shows these texts; answers the numbers on it. */
async function untilShown(of: Page, texts: readonly string[]): Promise<number[]> {
  const last = Number(texts.at(-1)?.split(' ').at(-1))
  await waitFor(async () => (await numbersOn(of)).includes(last), { what: `${last} is shown` })
  return numbersOn(of)
}

describe.runIf(IS_FULL_RUN)('somebody who reads along', () => {
  test('and loses the stream sees captions end, and afterwards everything that was said, once', async () => {
    await captions(page).waitFor(SOON)
    await page.route(READ, (route) => route.abort())
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await captions(page).waitFor({ ...SOON, state: 'detached' })
    const missed = await untilMoreStored(MISSED)
    await page.unroute(READ)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    const numbers = await untilShown(page, missed)
    expect([breaksIn(numbers), numbers.join(' ')]).toEqual([[], numbers.join(' ')])
    await captions(page).waitFor(SOON)
  })

  test('reads every number once when the connection to the engine breaks', async () => {
    proxy.cut()
    const numbers = await untilShown(page, await untilMoreStored(MISSED))
    expect([breaksIn(numbers), numbers.join(' ')]).toEqual([[], numbers.join(' ')])
  })

  test('sees captions end while the engine is unreachable, and then reads on, nothing twice', async () => {
    await captions(page).waitFor(SOON)
    proxy.hang()
    await captions(page).waitFor({ ...SOON, state: 'detached' })
    await proxy.mend()
    const numbers = await untilShown(page, await untilMoreStored(MISSED))
    // Sound of more than ten seconds ago is not heard again.
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
    await captions(page).waitFor(SOON)
  })
})
