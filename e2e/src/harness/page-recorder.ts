import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { Page } from 'playwright-core'
import { join, launchBrowser, type Person } from './browser.ts'
import { calmDevices, drawHandout } from './drawings.ts'
import { registerHandout } from './handouts.ts'
import { CUTTABLE, NAMED_DEVICES } from './limited-browsers.ts'
import { revokeBoardTokens, linkToBoard } from './operators.ts'
import type { Service } from './service.ts'
import type { Room } from './tenant.ts'
import { type TestEnvironment, useTestEnvironment, type Visit } from './test-environment.ts'

export const NAMES: Record<Role, string> = {
  moderator: '森 一郎',
  panelist: '佐藤 花子',
  observer: '田中 美咲',
  platform_observer: '運営 太郎',
}
export const SESSION_NAME = '新商品コンセプト インタビュー'
const OPERATOR = 'op-1'

/** A test environment whose browser has a camera that shows a still person. It records the documented screenshots. */
export interface PageRecorder {
  env: TestEnvironment
  openLink(link: string, surroundings?: Visit): Promise<Person>
  /** Opens the link of a role in a room, and stays at the device check. */
  open(room: Room, role: Role, surroundings?: Visit): Promise<Person>
  enter(room: Room, role: Role, surroundings?: Visit): Promise<Person>
  /** Pictures, or videos by their names. */
  registerHandouts(room: Room, names: readonly string[]): Promise<void>
  openBoard(surroundings?: Visit): Promise<Person>
  /** Ends the links of all boards. */
  endBoards(): Promise<void>
}

/**
 * @param before Runs in every page before its own scripts.
 * @param onPage Called with every page.
 */
export function usePageRecorder({
  before: always = '',
  onPage = () => {},
}: { before?: string; onPage?: (page: Page) => void } = {}): PageRecorder {
  const env = useTestEnvironment({
    ownService: {},
    browserFlags: ({ service }) => prepareDrawings(service),
  })

  async function openLink(link: string, surroundings: Visit = {}): Promise<Person> {
    const before = `${NAMED_DEVICES}; ${surroundings.before ?? ''}; ${always}`
    const person = await env.openLink(link, { locale: 'ja-JP', ...surroundings, before })
    onPage(person.page)
    return person
  }
  async function open(room: Room, role: Role, surroundings?: Visit): Promise<Person> {
    const link = await env.tenant.link({ roomId: room.id, role, name: NAMES[role] })
    return openLink(link, surroundings)
  }

  return {
    env,
    openLink,
    open,
    async enter(room, role, surroundings) {
      const person = await open(room, role, surroundings)
      await join(person)
      return person
    },
    async registerHandouts(room, names) {
      for (const name of names) {
        const isVideo = name.endsWith('.mp4')
        const content = readFileSync(isVideo ? videoIn(env.service) : frameIn(env.service))
        const kind = isVideo ? 'video' : 'image'
        await registerHandout(env.service, room, { kind, name, content })
      }
    },
    async openBoard(surroundings) {
      const who = { operator: OPERATOR, name: NAMES.platform_observer }
      return openLink(await linkToBoard(env.service, who), surroundings)
    },
    async endBoards() {
      await revokeBoardTokens(env.service, OPERATOR)
    },
  }
}

const drawingsIn = ({ dataDir }: Service) => path.join(dataDir, 'drawings')
const frameIn = (service: Service) => path.join(drawingsIn(service), 'handout.png')

/** The flags name files that must be there when a browser starts, so another one draws them. */
async function prepareDrawings(service: Service): Promise<string[]> {
  mkdirSync(drawingsIn(service))
  const browser = await launchBrowser()
  try {
    writeFileSync(frameIn(service), await drawHandout(browser))
    return await calmDevices(browser, drawingsIn(service))
  } finally {
    await browser.close()
  }
}

/** Half a minute of a picture that holds still. */
function videoIn(service: Service): string {
  const video = path.join(drawingsIn(service), 'film.mp4')
  const made = ['-t', '30', '-r', '5', '-pix_fmt', 'yuv420p', video]
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-loop', '1', '-i', frameIn(service), ...made])
  return video
}

/** One person of each role in the room. */
export async function enterAll(recorder: PageRecorder, room: Room): Promise<Record<Role, Person>> {
  const people = {} as Record<Role, Person>
  for (const role of ROLES) {
    const isPhone = role === 'panelist'
    people[role] = await recorder.enter(room, role, {
      isPhone,
      before: CUTTABLE,
      staysOpen: true,
    })
  }
  return people
}
