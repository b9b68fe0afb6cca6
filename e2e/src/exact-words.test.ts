import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from './harness/browser.ts'
import { heardIn, installWhisper } from './harness/real-whisper.ts'
import {
  clipForm,
  clipOf,
  lineWith,
  linkToReview,
  makeClip,
  searchField,
  tabOf,
} from './harness/review-page.ts'
import { compareWords } from './harness/spoken-words.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { LATER_MS, SOON, waitFor } from './harness/wait.ts'
import { reviewText } from './harness/words.ts'

const INSTALLED_WITHIN_MS = 15 * 60_000
/** A recogniser writes some words with other characters. */
const ERROR_MAX = 0.5

/** Lines of the sample interview, each between the one before and the one after it. */
const LINES = [
  [
    '担当の森です。',
    '佐藤です。よろしくお願いします。',
    '今日は、お茶のペットボトルについて伺います。',
  ],
  [
    'そのとき、何を見て選びますか。',
    'だいたい、色で選びます。',
    '緑が濃いと、味も濃そうに見えるんです。',
  ],
  [
    '少し小さくて、お店では読めないかもしれません。',
    '値段は、いくらくらいに見えますか。',
    '百六十円くらいでしょうか。',
  ],
  [
    'ふたには、気がつきませんでした。',
    '本体と同じ緑でも、いいと思います。',
    'あの、ひとつ言ってもいいですか。',
  ],
] as const

/** Letters without punctuation. */
const lettersOf = (text: string) => text.match(/[\p{L}\p{N}]/gu) ?? []

/** Only in the long run: the recogniser is large. */
describe.runIf(IS_FULL_RUN)('a clip of a selected line', () => {
  const env = useTestEnvironment({ ownService: { env: {} } })
  let recordingId: string
  let person: Person

  beforeAll(async () => {
    installWhisper()
    const address = `${env.service.local.base_url}/playground/api/sample`
    const made = await fetch(address, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    ;({ recording_id: recordingId } = (await made.json()) as { recording_id: string })
    const may = ['watch', 'clip', 'download'] as const
    person = await env.openLink(await linkToReview(env, { recordingId }, { may }))
  }, INSTALLED_WITHIN_MS)

  /** Cuts it as a reader does, and returns the file. */
  async function clipOfLine(line: string): Promise<string> {
    const { page } = person
    await tabOf(page, 'transcript').click(SOON)
    await searchField(page).fill(line)
    // A line far below is not drawn before the search jumps to it.
    await searchField(page).press('Enter')
    await lineWith(page, line).click(SOON)
    await makeClip(page).click(SOON)
    const form = clipForm(page)
    await form.getByRole('textbox', { name: reviewText((t) => t.clips.title) }).fill(line)
    await form.getByRole('button', { name: reviewText((t) => t.clips.make) }).click(SOON)
    await clipOf(page, line).waitFor(SOON)
    const clip = await waitFor(
      async () => {
        const params = { recording_id: recordingId }
        const { items } = await env.tenant.api.listClips({ params })
        return items.find(({ title, status }) => title === line && status === 'available')
      },
      { what: 'the clip is there', timeoutMs: LATER_MS },
    )
    const { url } = await env.tenant.api.getClipDownloadUrl({ params: { clip_id: clip.id } })
    const file = path.join(env.folder, `${clip.id}.mp4`)
    await writeFile(file, Buffer.from(await (await fetch(url)).arrayBuffer()))
    return file
  }

  test.each(LINES)(
    'between %s and …: has all its words and none of its neighbours',
    async (before, line, after) => {
      const heard = lettersOf(await heardIn(await clipOfLine(line), 'ja'))
      const said = lettersOf(line)
      const own = compareWords(said, heard)
      process.stdout.write(
        `${line} heard as ${heard.join('')}: errors ${own.errorRate.toFixed(2)}\n`,
      )
      expect(own.errorRate).toBeLessThanOrEqual(ERROR_MAX)
      // Neither the end of the line before nor the beginning of the line after is heard.
      const edges = [lettersOf(before).slice(-4).join(''), lettersOf(after).slice(0, 4).join('')]
      for (const edge of edges) expect(heard.join('')).not.toContain(edge)
      expect(heard.length).toBeLessThanOrEqual(said.length * (1 + ERROR_MAX))
    },
  )
})
