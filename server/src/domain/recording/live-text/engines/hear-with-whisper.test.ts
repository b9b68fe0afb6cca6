import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setInterval as ticks } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installWithApt } from '../../../../local/lib/apt.ts'
import { collectTexts } from '../../../../testing/live-vendors/collect-texts.ts'
import { IS_FULL_RUN } from '../../../../testing/scope.ts'
import { compareWords, wordsOf } from '../../../../testing/spoken-words.ts'
import { waitFor } from '../../../../testing/wait-for.ts'
import { fetchWhisper, liveWhisperCommand } from '../../../../testing/whisper/real-whisper.ts'
import { createLiveProgram } from './local-program.ts'

const SENTENCES = [
  'Thank you very much for joining this interview today.',
  'Please tell me which tea you usually drink at home.',
  'Every morning I drink a cup of warm green tea with my family.',
  'When you look at the new package, what do you feel first?',
  'Would you recommend this tea to your friends?',
]
const PACKET_MS = 100
const PACKET_BYTES = 3_200

let folder = ''

/** Flite is a package of Debian. */
function speechOf(sentences: readonly string[]): Buffer {
  if (!existsSync('/usr/bin/flite')) installWithApt(['flite'])
  const [text, sound] = [path.join(folder, 'said.txt'), path.join(folder, 'said.wav')]
  writeFileSync(text, sentences.join('\n\n'))
  execFileSync('flite', ['-voice', 'slt', '-f', text, '-o', sound])
  const raw = path.join(folder, 'said.raw')
  execFileSync('ffmpeg', [
    '-y',
    '-v',
    'error',
    '-i',
    sound,
    '-f',
    's16le',
    '-ac',
    '1',
    '-ar',
    '16000',
    raw,
  ])
  return readFileSync(raw)
}

const samplesOf = (bytes: Buffer) => new Int16Array(Uint8Array.from(bytes).buffer)
const shareOf = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

describe.runIf(IS_FULL_RUN)('speech as fast as it is spoken', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'interview-room-live-whisper-'))
    fetchWhisper()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('is heard by a real Whisper base, by the protocol of local programs', async () => {
    const speech = speechOf(SENTENCES)
    const engine = createLiveProgram({ command: liveWhisperCommand(), withheld: new Set() })
    const { sink, said, ends } = collectTexts()
    const { signal } = new AbortController()
    const delays: number[] = []
    let beginMs = 0
    const timed = {
      ...sink,
      text: (text: Parameters<typeof sink.text>[0]) => {
        sink.text(text)
        if (text.text !== '') delays.push(performance.now() - beginMs - text.endSec * 1000)
      },
    }
    const stream = engine.open({ language: 'en-US', translateTo: null, signal }, timed)
    // The program loads its model, which takes seconds, before it hears a word.
    const greeting = samplesOf(speechOf(['Good morning.']))
    stream.push(greeting)
    await waitFor(() => said().length > 0 || ends.length > 0)
    delays.length = 0
    beginMs = performance.now() - (greeting.length / 16_000) * 1000
    let at = 0
    for await (const _ of ticks(PACKET_MS)) {
      stream.push(samplesOf(speech.subarray(at, at + PACKET_BYTES)))
      at += PACKET_BYTES
      if (at >= speech.length) break
    }
    stream.end()
    await waitFor(() => ends.length > 0)
    const { errorRate } = compareWords(
      wordsOf(SENTENCES.join(' ')),
      wordsOf(said().slice(1).join(' ')),
    )
    const sorted = delays.toSorted((a, b) => a - b)
    const [middle, late] = [shareOf(sorted, 0.5), shareOf(sorted, 0.95)].map(Math.round)
    process.stdout.write(
      `error rate ${errorRate.toFixed(3)}; sound to text: p50 ${middle} ms, p95 ${late} ms\n`,
    )
    expect(ends).toEqual([null])
    expect(said().length).toBeGreaterThan(1)
    expect(errorRate, said().join(' ')).toBeLessThanOrEqual(0.15)
  })
})
