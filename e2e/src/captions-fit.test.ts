import { readFileSync } from 'node:fs'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from './harness/browser.ts'
import { captionConflictsOn } from './harness/caption-conflicts.ts'
import { speech } from './harness/captions-walk.ts'
import { registerHandout } from './harness/handouts.ts'
import { misfitsOf, resizeTo, type Size, tileCollisionsOf } from './harness/misfits.ts'
import {
  closePanel,
  control,
  handoutStage,
  hideButton,
  openPanel,
  showButton,
  tile,
} from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'

const ROOMY = { width: 1600, height: 900 }
const PHONE = { width: 390, height: 844 }
/** An everyday run takes a phone upright and lying, and a desktop. */
const SIZES: readonly Size[] = [
  PHONE,
  { width: 640, height: 360 },
  { width: 1280, height: 720 },
  ...(IS_FULL_RUN
    ? [
        { width: 320, height: 640 },
        { width: 360, height: 740, textPercent: 200 },
        { ...PHONE, textPercent: 150 },
        { width: 800, height: 1000 },
        { width: 1280, height: 720, textPercent: 200 },
        { width: 1920, height: 1080 },
      ]
    : []),
]
const ROLES = ['moderator', 'panelist'] as const
type Role = (typeof ROLES)[number]
/** WCAG 2.2, 2.5.8. Respondents use the page with a finger. */
const TARGET_MIN_PX: Record<Role, number> = { moderator: 24, panelist: 44 }
const SPEAKERS = ['寿限無寿限無五劫の擦り切れ海砂利水魚の水行末', 'Participant-2']
/** With the moderator and the panelist, twelve. */
const OTHERS = Array.from({ length: 8 }, (_, at) => `Participant-${at + 3}`)

const env = useTestEnvironment()
const people = {} as Record<Role, Person>

beforeAll(async () => {
  const room = await env.tenant.book()
  const content = readFileSync('docs/pictures/room.png')
  const handout = { kind: 'image', name: 'a.png', title: 'Shelf', content } as const
  await registerHandout(env.service, room, handout)
  for (const name of [...SPEAKERS, ...OTHERS]) {
    await env.connectByHand({ roomId: room.id, role: 'panelist', name })
  }
  const known = await env.tenant.participants(room.id)
  const speakers = known.filter(({ display_name: name }) => SPEAKERS.includes(name))
  const before = speech(speakers.map(({ id }) => id))
  for (const role of ROLES) {
    people[role] = await env.enter({ roomId: room.id, role, name: role }, { before })
    // Tiles are measured where they arrive, not on their way.
    await people[role].page.emulateMedia({ reducedMotion: 'reduce' })
    await captionsOf(people[role].page).waitFor(SOON)
  }
  for (const { page } of Object.values(people)) await tile(page, 'Participant-10').waitFor(SOON)
})

const captionsOf = (page: Page) => page.locator('[data-captions]')

/** Everything that does not fit, by size. */
async function sweep(role: Role): Promise<Record<string, string[]>> {
  const { page } = people[role]
  const found: Record<string, string[]> = {}
  for (const size of SIZES) {
    await resizeTo(page, size)
    await captionsOf(page).waitFor(SOON)
    const conflicts = [
      ...(await captionConflictsOn(page)),
      ...(await misfitsOf(page, TARGET_MIN_PX[role])),
      ...(await tileCollisionsOf(page)),
    ]
    if (conflicts.length > 0) found[JSON.stringify(size)] = conflicts
  }
  await resizeTo(page, ROOMY)
  return found
}

describe('captions of two people in a room of twelve', () => {
  test.each(ROLES)('cover no control and no name on the page of a %s', async (role) => {
    const { page } = people[role]
    await closePanel(page)
    expect(await sweep(role)).toEqual({})
    await control(page, 'layout').click()
    expect(await sweep(role)).toEqual({})
    await control(page, 'layout').click()
  })

  test('cover nothing of a handout, which a moderator points at', async () => {
    const { page } = people.moderator
    await openPanel(page, 'handouts')
    await showButton(page, 'Shelf').click()
    await closePanel(page)
    for (const role of ROLES) {
      await handoutStage(people[role].page).getByAltText('Shelf').waitFor(SOON)
      expect([role, await sweep(role)]).toEqual([role, {}])
    }
    await openPanel(page, 'handouts')
    await hideButton(page).click()
    await closePanel(page)
  })

  test('move nothing when they come and go', async () => {
    const { page } = people.panelist
    await resizeTo(page, PHONE)
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('article')].map((each) => {
          const { left, top, width, height } = each.getBoundingClientRect()
          return [left, top, width, height].map(Math.round).join(' ')
        }),
      )
    const during = await places()
    await page.evaluate('stopSpeaking()')
    await captionsOf(page).waitFor({ ...SOON, state: 'detached' })
    expect(await places()).toEqual(during)
    await page.evaluate('goOnSpeaking()')
    await waitFor(() => captionsOf(page).isVisible(), { what: 'captions are back' })
  })
})
