import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { enterByHand } from '@interview-room/e2e/src/harness/api-participant.ts'
import { join, launchBrowser, openAs } from '@interview-room/e2e/src/harness/browser.ts'
import { removeDataDir, startService } from '@interview-room/e2e/src/harness/service.ts'
import { findOrInstallSpeech, speak } from '@interview-room/e2e/src/harness/speech.ts'
import { actAsTenant } from '@interview-room/e2e/src/harness/tenant.ts'
import { LATER_MS, waitFor } from '@interview-room/e2e/src/harness/wait.ts'
import { TestClient } from '@interview-room/media-server/src/recorder/test-client.ts'
import { opusPackets } from '@interview-room/server/src/testing/spoken-capture.ts'
import {
  fetchWhisper,
  liveWhisperCommand,
} from '@interview-room/server/src/testing/whisper/real-whisper.ts'
import type { Page } from 'playwright-core'
import { machine } from '../machine.ts'
import { quantile } from '../statistics.ts'

const SENTENCES = [
  'Thank you very much for joining this interview today.',
  'Please tell me which tea you usually drink at home.',
  'Every morning my family buys fresh bread from the small bakery.',
  'When you look at the new package, what do you feel first?',
  'The green colour reminds people of a quiet garden in summer.',
  'Would your friends recommend another brand for the kitchen?',
]
const PACKET_SEC = 0.02
const CONNECT_MS = 60_000
/** A word that is on no caption by then was not understood. */
const LOST_AFTER_MS = 12_000
/** Precision of the recogniser about when a word ends. */
const EARLY_MS = 300
/** Shorter words are in other words. */
const WORD_MIN = 4

/** The words of a sound with the end of each, as the recogniser finds them when it has all of the sound. */
const FIND_WORDS = `
import sys, json, numpy
from faster_whisper import WhisperModel
sound = numpy.frombuffer(open(sys.argv[2], 'rb').read(), numpy.int16).astype(numpy.float32) / 32768
segments, _ = WhisperModel(sys.argv[1], compute_type='int8').transcribe(sound, language='en', word_timestamps=True)
print(json.dumps([[word.word, word.end] for segment in segments for word in segment.words]))
`

/** The time from a spoken word to the caption with it on the page of an observer, with Whisper base as a local program. */
export async function measureCaptionDelay(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '4' } } })
  fetchWhisper()
  findOrInstallSpeech()
  const samples = speak(SENTENCES)
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  const words = wordsIn(bytes)
  const service = await startService({
    env: {
      LIVE_TEXT_ENGINES: 'local',
      LIVE_TEXT_LOCAL_COMMAND: JSON.stringify(liveWhisperCommand()),
    },
  })
  const browser = await launchBrowser()
  try {
    const { tenant_id: tenantId, base_url: baseUrl } = service.local
    await service.admin('tenants', 'live-text', '--tenant', tenantId, '--for', 'staff')
    const tenant = actAsTenant(service.local)
    const settings = { archive_mode: 'manual', transcription_language: 'en-US' }
    const { id: roomId } = await tenant.book({ room: settings })
    const { media } = await enterByHand(tenant, { baseUrl, roomId, role: 'moderator', name: 'M' })
    const link = await tenant.link({ roomId, role: 'observer', name: 'Observer' })
    const reader = await openAs(browser, link, { hasDevices: false })
    await join(reader)
    const packets = timed(await opusPackets(bytes))
    const client = new TestClient(media.url.replace(/^ws/, 'http'), media.token, {
      opus: packets.opus,
    })
    await client.join(CONNECT_MS)
    await reader.page.evaluate(watchCaptions)
    await client.publish(CONNECT_MS)
    // The program loads its model during the first round.
    const rounds = Number(values.rounds) + 1
    await waitFor(() => packets.rounds.length > rounds, {
      what: 'everything is said',
      timeoutMs: LATER_MS,
    })
    await delay(LOST_AFTER_MS)
    await client.leave()
    report({ words, rounds: packets.rounds.slice(1, rounds), shown: await captionsOf(reader.page) })
  } finally {
    await browser.close()
    await service.stop()
    removeDataDir(service.dataDir)
  }
}

interface SpokenWord {
  word: string
  endSec: number
}

/** Words that come once. */
function wordsIn(sound: Buffer): SpokenWord[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-room-words-'))
  try {
    const file = path.join(folder, 'said.raw')
    writeFileSync(file, sound)
    const [python, , model = ''] = liveWhisperCommand()
    const found = execFileSync(python, ['-c', FIND_WORDS, model, file], { encoding: 'utf8' })
    const all = (JSON.parse(found) as [string, number][]).map(([word, endSec]) => ({
      word: word.toLowerCase().replaceAll(/[^a-z]/g, ''),
      endSec,
    }))
    return all.filter(
      ({ word }) =>
        word.length >= WORD_MIN && all.filter((each) => each.word === word).length === 1,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Packets that note when each was sent: the clock of each packet, by round. */
function timed(packets: readonly Buffer[]): { opus: readonly Buffer[]; rounds: number[][] } {
  const rounds: number[][] = []
  const opus = new Proxy(packets, {
    get(target, key, receiver) {
      const at = typeof key === 'string' ? Number(key) : Number.NaN
      if (at === 0) rounds.push([])
      if (at >= 0) rounds.at(-1)?.push(Date.now())
      return Reflect.get(target, key, receiver)
    },
  })
  return { opus, rounds }
}

interface Shown {
  atMs: number
  text: string
}

/** Runs in the page: notes each text of the captions, and when it was there. */
function watchCaptions(): void {
  const shown: Shown[] = []
  Object.assign(globalThis, { shownCaptions: shown })
  new MutationObserver(() => {
    const text = document.querySelector('[data-captions]')?.textContent ?? ''
    if (text !== shown.at(-1)?.text) shown.push({ atMs: Date.now(), text: text.toLowerCase() })
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
}

const captionsOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { shownCaptions: Shown[] }).shownCaptions)

interface Measured {
  words: readonly SpokenWord[]
  /** When each packet was sent. */
  rounds: readonly number[][]
  shown: readonly Shown[]
}

/** Prints the figures for people, and one line of JSON. */
function report({ words, rounds, shown }: Measured): void {
  const delays: number[] = []
  let missing = 0
  for (const sentMs of rounds) {
    for (const { word, endSec } of words) {
      const spokenMs = sentMs[Math.floor(endSec / PACKET_SEC)]
      if (spokenMs === undefined) continue
      const first = shown.find(
        ({ atMs, text }) => atMs >= spokenMs - EARLY_MS && text.includes(word),
      )
      const delayMs = first === undefined ? Infinity : first.atMs - spokenMs
      if (delayMs > LOST_AFTER_MS) missing += 1
      else delays.push(delayMs)
    }
  }
  const figures = {
    words: delays.length + missing,
    notUnderstood: missing,
    p50Ms: Math.round(quantile(delays, 0.5)),
    p95Ms: Math.round(quantile(delays, 0.95)),
    latestMs: Math.round(Math.max(...delays)),
  }
  console.table(figures)
  console.log(JSON.stringify({ ...machine(), ...figures }))
}
