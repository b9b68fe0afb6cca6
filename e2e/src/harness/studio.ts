import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { Page } from 'playwright-core'
import { join, launchBrowser, openAs, type Person, type Surroundings } from './browser.ts'
import { calmDevices, drawHandout } from './drawings.ts'
import { CUTTABLE, NAMED_DEVICES } from './poor-browsers.ts'
import { removeDataDir, type Service, startService } from './service.ts'
import { actAsTenant, type Room, type Tenant } from './tenant.ts'
import { ffmpeg } from './video.ts'

export const NAMES: Record<Role, string> = {
  moderator: '森 一郎',
  panelist: '佐藤 花子',
  observer: '田中 美咲',
  platform_observer: '運営 太郎',
}
export const SESSION_NAME = '新商品コンセプト インタビュー'
const SOON = { timeout: 30_000 }

/** A service, and a browser whose camera shows a person who holds still: every picture is taken here. */
export interface Studio {
  service: Service
  tenant: Tenant
  openLink(link: string, surroundings?: Surroundings): Promise<Person>
  /** Opens the link of a role in a room, and stays at the device check. */
  open(room: Room, role: Role, surroundings?: Surroundings): Promise<Person>
  enter(room: Room, role: Role, surroundings?: Surroundings): Promise<Person>
  /** Pictures, or videos by their names. */
  registerHandouts(room: Room, names: readonly string[]): Promise<void>
  openBoard(surroundings?: Surroundings): Promise<Person>
  /** Ends the links of all boards. */
  endBoards(): Promise<void>
  close(): Promise<void>
}

export async function openStudio(): Promise<Studio> {
  const service = await startService()
  const tenant = actAsTenant(service.local)
  const whose = ['--tenant', service.local.tenant_id, '--operator', 'op-1']
  const folder = path.join(service.dataDir, 'drawings')
  mkdirSync(folder)
  const { flags, handout } = await prepareDrawings(folder)
  const browser = await launchBrowser(flags)

  async function openLink(link: string, surroundings: Surroundings = {}): Promise<Person> {
    const before = `${NAMED_DEVICES}; ${surroundings.before ?? ''}`
    return openAs(browser, link, { locale: 'ja-JP', ...surroundings, before })
  }
  async function open(room: Room, role: Role, surroundings?: Surroundings): Promise<Person> {
    return openLink(await tenant.link({ roomId: room.id, role, name: NAMES[role] }), surroundings)
  }

  return {
    service,
    tenant,
    openLink,
    open,
    async enter(room, role, surroundings) {
      const person = await open(room, role, surroundings)
      await join(person)
      return person
    },
    async registerHandouts(room, names) {
      for (const name of names) {
        const body = new FormData()
        const isVideo = name.endsWith('.mp4')
        const content = isVideo ? filmOf(handout, folder) : handout
        body.set('content_type', isVideo ? 'video' : 'image')
        body.set('file', new Blob([new Uint8Array(content)]), name)
        const url = `${service.local.base_url}/api/v1/sessions/${room.session.id}/handouts`
        const headers = { authorization: `ApiKey ${service.local.api_key}` }
        const answer = await fetch(url, { method: 'POST', headers, body })
        if (answer.status !== 201) throw new Error(`the handout was answered ${answer.status}`)
      }
    },
    async openBoard(surroundings) {
      const name = ['--name', NAMES.platform_observer]
      const made = await service.admin('operators', 'board-link', ...whose, ...name)
      return openLink((made as { url: string }).url, surroundings)
    },
    async endBoards() {
      await service.admin('operators', 'end-board-links', ...whose)
    },
    async close() {
      await browser.close()
      await service.stop()
      removeDataDir(service.dataDir)
    },
  }
}

/** The flags name files that must be there when a browser starts, so another one draws them. */
async function prepareDrawings(folder: string): Promise<{ flags: string[]; handout: Buffer }> {
  const browser = await launchBrowser()
  try {
    return { flags: await calmDevices(browser, folder), handout: await drawHandout(browser) }
  } finally {
    await browser.close()
  }
}

/** Half a minute of a picture that holds still. */
function filmOf(picture: Buffer, folder: string): Buffer {
  const [still, film] = [path.join(folder, 'still.png'), path.join(folder, 'film.mp4')]
  writeFileSync(still, picture)
  const made = ['-t', '30', '-r', '5', '-pix_fmt', 'yuv420p', film]
  execFileSync(ffmpeg(), ['-v', 'error', '-y', '-loop', '1', '-i', still, ...made])
  return readFileSync(film)
}

/** One person of each role in the room. */
export async function enterAll(studio: Studio, room: Room): Promise<Record<Role, Person>> {
  const people = {} as Record<Role, Person>
  for (const role of ROLES) {
    const isPhone = role === 'panelist'
    people[role] = await studio.enter(room, role, { isPhone, before: CUTTABLE })
  }
  return people
}

export async function openPanel(page: Page, id: string): Promise<void> {
  const panel = page.getByTestId(`panel-${id}`)
  if (!(await panel.isVisible())) await page.getByTestId(`open-${id}`).click()
  await panel.waitFor(SOON)
}

export async function closePanel(page: Page): Promise<void> {
  const shut = page.getByTestId('close-panel')
  if (await shut.isVisible()) await shut.click()
}

export async function say(page: Page, visibility: string, text: string): Promise<void> {
  await openPanel(page, visibility)
  const composer = page.getByTestId(`panel-${visibility}`).getByTestId('composer')
  await composer.fill(text)
  await composer.press('Enter')
  await page.getByTestId(`panel-${visibility}`).getByText(text, { exact: true }).waitFor(SOON)
}
