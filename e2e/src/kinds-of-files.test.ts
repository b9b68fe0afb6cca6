import {
  CORPUS,
  type CorpusFile,
  isAccepted,
  makeFile,
} from '@interview-room/server/src/testing/media-corpus.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { registerHandout } from './harness/handouts.ts'
import { handoutStage } from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { LATER_MS, waitFor } from './harness/wait.ts'

/** An everyday run shows one of each verdict. */
const SOME = ['H.264 in QuickTime', 'HEVC of a phone', 'TIFF of CMYK', 'GIF without its trailer']
const CHOSEN = CORPUS.filter(({ name }) => IS_FULL_RUN || SOME.includes(name))

const env = useTestEnvironment()
let page: Page

beforeAll(async () => {
  page = await env.browser.newPage()
})

/** True if this browser shows a picture of the file. */
async function isShown(kind: CorpusFile['kind'], url: string): Promise<boolean> {
  return page.evaluate(
    async ([tag, address]) => {
      const element = document.createElement(tag === 'image' ? 'img' : 'video')
      const ended = new Promise<boolean>((resolve) => {
        element.addEventListener('error', () => resolve(false))
        element.addEventListener('load', () =>
          resolve((element as HTMLImageElement).naturalWidth > 0),
        )
        // A file without pictures is played as sound.
        element.addEventListener('ended', () =>
          resolve((element as HTMLVideoElement).getVideoPlaybackQuality().totalVideoFrames > 0),
        )
      })
      if (element instanceof HTMLVideoElement) element.muted = true
      element.src = address
      document.body.append(element)
      if (element instanceof HTMLVideoElement) element.play().catch(() => {})
      return ended.finally(() => element.remove())
    },
    [kind, url] as const,
  )
}

describe('what is accepted', () => {
  test.each(CHOSEN.filter(isAccepted))(
    'is shown in the room: $kind, $name',
    async ({ kind, fileName, verdict, make }) => {
      const room = await env.tenant.book()
      const content = await make()
      await registerHandout(env.service, room, { kind, name: fileName, content })
      const moderator = await env.enterByHand({
        roomId: room.id,
        role: 'moderator',
        name: 'Moderator',
      })
      const url = await waitFor(
        async () => {
          const { items } = await moderator.get<{ items: { file_url: string }[] }>('/handouts')
          const address = items[0]!.file_url
          const bytes = Buffer.from(await (await fetch(address)).arrayBuffer())
          return bytes.equals(content) === (verdict === 'shown') && address
        },
        { what: 'the file that is shown', timeoutMs: LATER_MS },
      )
      expect(await isShown(kind, url)).toBe(true)
    },
  )
})

test('a video of HEVC that is presented before its rendition exists is seen as soon as that does', async () => {
  const room = await env.tenant.book()
  const content = await makeFile('video', 'HEVC of a phone')
  const film = { kind: 'video', name: 'phone.mov', content } as const
  const panelist = await env.enter({ roomId: room.id, role: 'panelist', name: 'Panelist' })
  const who = { roomId: room.id, role: 'moderator', name: 'Moderator' } as const
  const moderator = await env.enterByHand(who)
  const id = await registerHandout(env.service, room, film)
  await moderator.post(`/handouts/${id}/show`)
  const video = handoutStage(panelist.page).locator('video')
  await waitFor(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth > 0), {
    what: 'a picture of the video',
    timeoutMs: LATER_MS,
  })
})

const BROKEN = CHOSEN.filter(({ verdict }) => verdict === 'broken')

describe.runIf(IS_FULL_RUN)('what is refused as broken', () => {
  test.each(BROKEN)('is not shown by a browser: $kind, $name', async ({ kind, make }) => {
    const type = kind === 'image' ? 'image/png' : 'video/mp4'
    const url = `data:${type};base64,${(await make()).toString('base64')}`
    expect(await isShown(kind, url)).toBe(false)
  })
})
