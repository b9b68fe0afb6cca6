import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { IMAGES } from '@interview-room/server/src/testing/images.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { join } from './harness/browser.ts'
import { framed, type HostSite, messagesOf, startHostSite } from './harness/host-page.ts'
import { control, joinButton, leftPage, refusal } from './harness/room-page.ts'
import type { Room } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { peopleText, roomText } from './harness/words.ts'

const HELP = '03-0000-0000（平日 9:00〜18:00）'

const USED_IN_A_ROOM = [
  'autoplay',
  'camera',
  'display-capture',
  'fullscreen',
  'microphone',
  'picture-in-picture',
  'screen-wake-lock',
  'speaker-selection',
]

const env = useTestEnvironment()
const whose = () => ['--tenant', env.service.local.tenant_id]
let room: Room
let site: HostSite
let other: HostSite

beforeAll(async () => {
  room = await env.tenant.book()
  site = await startHostSite()
  other = await startHostSite()
  await env.service.admin('tenants', 'frame', ...whose(), '--origin', site.origin)
})

afterAll(() => {
  site?.stop()
  other?.stop()
})

const link = (name: string) => env.tenant.link({ roomId: room.id, role: 'panelist', name })

async function expectPosted(page: Page, expected: readonly object[]): Promise<void> {
  const posted = async () => (await messagesOf(page)).length >= expected.length
  await waitFor(posted, { what: `${expected.length} messages` })
  expect(await messagesOf(page)).toEqual(
    expected.map((data) => ({
      origin: new URL(env.service.local.base_url).origin,
      data: { source: 'interview-room', version: 1, room_id: room.id, ...data },
    })),
  )
}

describe('a page that shows a room in a frame', () => {
  test('learns that a person joined, left, joined again, and that the room closed', async () => {
    const own = await env.tenant.book()
    const address = await env.tenant.link({ roomId: own.id, role: 'moderator', name: 'Mori' })
    const { page } = await env.openLink(site.showing(address), { hasDevices: false })
    const frame = framed(page)
    const press = (name: RegExp) => frame.getByRole('button', { name }).click(SOON)
    await press(roomText((t) => [t.join, ...Object.values(t.joinWithout)]))
    await press(roomText((t) => t.call.leave))
    await press(roomText((t) => t.left.again))
    await frame.getByRole('button', { name: roomText((t) => t.call.leave) }).waitFor(SOON)
    await env.tenant.close(own.id)
    const kinds = async () => (await messagesOf(page)).map(({ data }) => data.type)
    await waitFor(async () => (await kinds()).includes('closed'), { what: 'the room closed' })
    expect(await kinds()).toEqual(['joined', 'left', 'joined', 'closed'])
  })

  test('gives the room the documented permissions, including a screen that stays on', async () => {
    const { page } = await env.openLink(site.showing(await link('Pana')), { hasDevices: false })
    await framed(page)
      .getByRole('button', { name: roomText((t) => [t.join, ...Object.values(t.joinWithout)]) })
      .waitFor(SOON)
    const inside = page.frames().find((frame) => frame.parentFrame() !== null)
    const allowed = await inside?.evaluate('document.featurePolicy.allowedFeatures()')
    expect(allowed).toEqual(expect.arrayContaining(USED_IN_A_ROOM))
  })

  test('and withholds camera and microphone is named as the cause', async () => {
    const address = await link('Pana')
    const { page } = await env.openLink(site.showing(address, { isBare: true }))
    const help = roomText((t) => t.problem.help.denied.frame)
    await framed(page).getByText(help).first().waitFor(SOON)
  })

  test('learns why a person is refused', async () => {
    const { page } = await env.openLink(
      site.showing(`${env.service.local.base_url}/r/${room.id}#token=wrong`),
    )
    await expectPosted(page, [{ type: 'refused', reason: 'bad_link' }])
  })

  test('of an origin that the tenant has not allowed shows nothing, and learns nothing', async () => {
    const { page } = await env.openLink(other.showing(await link('Pana')))
    const blocked = page.frames().find((frame) => frame.parentFrame() !== null)
    await waitFor(() => blocked?.url().startsWith('chrome-error:'), {
      what: 'the frame is blocked',
    })
    expect(await messagesOf(page)).toEqual([])
  })
})

describe('the look of a tenant', () => {
  beforeAll(async () => {
    const logo = path.join(env.folder, 'logo.png')
    writeFileSync(logo, IMAGES.png)
    const look = [
      '--name',
      '調査会社',
      '--color',
      '#f5a300',
      '--logo',
      logo,
      '--help-contact',
      HELP,
    ]
    await env.service.admin('tenants', 'branding', ...whose(), ...look)
  })

  test('is there before the room, in it and after it, and stays readable', async () => {
    const person = await env.openLink(await link('佐藤 花子'), { hasDevices: false })
    const { page } = person
    const isBranded = async (what: string) => {
      await page
        .getByRole('banner')
        .locator('img')
        .waitFor({ state: 'attached', ...SOON })
      expect(await accentOf(page), what).not.toBe('#0b6e69')
      await expectAccessible(page, `${what} of a tenant with a colour`)
    }
    await joinButton(page).waitFor(SOON)
    await page.getByRole('banner').getByText('調査会社').waitFor(SOON)
    await page.getByText(peopleText((t) => t.helpContact(HELP))).waitFor(SOON)
    await isBranded('prejoin')

    await join(person)
    await isBranded('room')
    await control(page, 'help').click()
    await page
      .getByRole('dialog')
      .getByText(peopleText((t) => t.helpContact(HELP)))
      .waitFor(SOON)
    await page.keyboard.press('Escape')

    await control(page, 'leave').click()
    await leftPage(page).waitFor(SOON)
    await page.getByText(peopleText((t) => t.helpContact(HELP))).waitFor(SOON)
    await isBranded('left')
  })

  test('is not that of another tenant, nor of a link that does not work', async () => {
    const { page } = await env.openLink(`${env.service.local.base_url}/r/${room.id}#token=wrong`)
    await refusal(page, 'bad-link').waitFor(SOON)
    expect(await page.getByText('調査会社').count()).toBe(0)
  })
})

const accentOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'))
