import type { Page } from 'playwright-core'
import type { PageStateName } from '../page-states.ts'
import { NAMES, type PageRecorder, SESSION_NAME } from './page-recorder.ts'
import { closePanel, openPhoneMenu, panelButtons, tile } from './room-page.ts'
import { SOON } from './wait.ts'
import { captionsText } from './words.ts'

const SAID = [
  ['moderator', 'このパッケージを初めて見たとき、どう感じましたか。'],
  ['panelist', '色がきれいで、すぐ目に入りました。'],
  ['moderator', '手に取ってみたいと思いましたか。'],
] as const
const NOW = 'はい、でも値段が書いてあるところが小さくて、最初は気がつきませんでした'

type Look = (page: Page, name: PageStateName) => Promise<void>

/** A moderator reads along what is said, as captions and as a list. */
export async function expectCaptions(recorder: PageRecorder, look: Look): Promise<void> {
  const { env } = recorder
  const room = await env.tenant.book({ name: SESSION_NAME })
  const panelist = await recorder.enter(room, 'panelist')
  const [known] = await env.tenant.participants(room.id)
  const moderator = await recorder.enter(room, 'moderator', { before: speech([known?.id ?? '']) })
  const { page } = moderator
  await tile(page, NAMES.panelist).locator('video').waitFor(SOON)
  await closePanel(page)
  await look(page, 'room-captions')
  await openPhoneMenu(page)
  await panelButtons(page)
    .filter({ hasText: captionsText((t) => t.transcript.tab) })
    .click(SOON)
  await look(page, 'moderator-transcript')
  await moderator.context.close()
  await panelist.context.close()
}

/**
 * Runs in the page: these people go on speaking, after what was said before, until `stopSpeaking()`, and again after
 * `goOnSpeaking()`.
 */
export function speech(identities: readonly string[]): string {
  const [identity = ''] = identities
  const beganMs = Date.now() - SAID.length * 8000
  const spoken = { participant_id: identity, language: 'ja-JP', is_translation: false }
  const items = SAID.map(([role, text], at) => ({
    ...spoken,
    identity: role === 'panelist' ? identity : role,
    display_name: NAMES[role],
    text,
    segment: `s-${at}`,
    started_at: new Date(beganMs + at * 8000).toISOString(),
    ended_at: new Date(beganMs + at * 8000 + 4000).toISOString(),
  }))
  const history = { success: true, data: { items, cursor: 'c', has_more: false } }
  const now = identities.map((each) => {
    const caption = { ...spoken, identity: each, segment: `s-now-${each}`, text: NOW, final: false }
    return `event: caption\ndata: ${JSON.stringify(caption)}\n\n`
  })
  return `{
    const ask = globalThis.fetch.bind(globalThis)
    const captions = ${JSON.stringify(now.join(''))}
    let isSpeaking = true
    globalThis.stopSpeaking = () => (isSpeaking = false)
    globalThis.goOnSpeaking = () => (isSpeaking = true)
    globalThis.fetch = async (...request) => {
      if (String(request[0]).includes('/live/transcript')) {
        return Response.json(${JSON.stringify(history)})
      }
      const answer = await ask(...request)
      if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
      let isBetween = false
      const said = new TransformStream({
        start(out) {
          setInterval(() => isSpeaking && isBetween && out.enqueue(captions), 1000)
        },
        transform(text, out) {
          isBetween = text.endsWith('\\n\\n')
          out.enqueue(text.replace('"has_live_text":false', '"has_live_text":true'))
        },
      })
      const { status, headers, body } = answer
      const text = body.pipeThrough(new TextDecoderStream()).pipeThrough(said)
      return new Response(text.pipeThrough(new TextEncoderStream()), { status, headers })
    }
  }`
}
