import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installWithApt } from '../../../local/lib/apt.ts'
import { IS_FULL_RUN } from '../../../testing/scope.ts'
import { compareWords, wordsOf } from '../../../testing/spoken-words.ts'
import { useTranscriptions } from '../../../testing/transcriptions.ts'
import { readCues } from '../../../testing/vtt.ts'
import {
  fetchWhisper,
  sayInJapanese,
  whisperCommand,
} from '../../../testing/whisper/real-whisper.ts'
import { createLocalEngine } from './engines/local-command.ts'

const JAPANESE = [
  '今日はインタビューにご協力いただき、ありがとうございます。',
  'まず、普段どのようなお茶を飲んでいるか、教えてください。',
  '毎朝、温かい緑茶を飲んでいます。',
  '会社では、ペットボトルのお茶を買うことが多いです。',
  '新しいパッケージをご覧になって、最初にどう感じましたか。',
  '色がとても明るくて、若い人に向いていると思いました。',
  'でも、文字が小さいので、読みにくいです。',
  '値段についてはいかがでしょうか。',
  '150円なら買いますが、200円では少し高いと感じます。',
  '最後に、家族や友人に勧めたいと思いますか。',
  'はい、夏になったら、友人に勧めたいと思います。',
  '質問は以上です。貴重なご意見をありがとうございました。',
]
const ENGLISH = [
  'Thank you very much for joining this interview today.',
  'Please tell me which tea you usually drink at home.',
  'Every morning I drink a cup of warm green tea with my family.',
  'At the office I often buy a bottle from the small shop near the station.',
  'When you look at the new package, what do you feel first?',
  'The colors are very bright, and I think it looks good for young people.',
  'However, the letters on the back are small, so they are difficult to read.',
  'What do you think about the price?',
  'I would buy it for one dollar, but two dollars is a little expensive.',
  'Would you recommend this tea to your friends?',
  'Yes, when the summer comes, I will tell my friends about it.',
  'That was my last question, and I thank you for your time.',
  'If you remember anything else, please write to us before the end of the week.',
]

/** Flite is a package of Debian. */
function sayInEnglish(sentences: readonly string[], file: string): void {
  if (!existsSync('/usr/bin/flite')) installWithApt(['flite'])
  const text = `${file}.txt`
  writeFileSync(text, sentences.join('\n\n'))
  execFileSync('flite', ['-voice', 'slt', '-f', text, '-o', file])
}

/** Letters without punctuation and spaces. */
const charactersOf = (text: string) => text.normalize('NFKC').match(/[^\p{P}\p{S}\p{Z}]/gu) ?? []

const { start, run, webhooks, result } = useTranscriptions()
let folder = ''

describe.runIf(IS_FULL_RUN)('a minute of speech, transcribed by a real Whisper base', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'interview-room-whisper-'))
    fetchWhisper()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const engine = createLocalEngine({
    command: whisperCommand(),
    languages: ['ja-JP', 'en-US'],
    withheld: new Set(),
  })

  test.each([
    ['ja-JP', { say: sayInJapanese, sentences: JAPANESE, piecesOf: charactersOf, errorMax: 0.08 }],
    ['en-US', { say: sayInEnglish, sentences: ENGLISH, piecesOf: wordsOf, errorMax: 0.1 }],
  ] as const)('%s', async (language, { say, sentences, piecesOf, errorMax }) => {
    const [sound, file] = ['wav', 'mp4'].map((ending) => path.join(folder, `${language}.${ending}`))
    if (sound === undefined || file === undefined) throw new RangeError(language)
    say(sentences, sound)
    execFileSync('ffmpeg', ['-v', 'error', '-i', sound, '-c:a', 'aac', '-b:a', '96k', file])
    const started = await start({ language }, file)
    await run(started, { engine_c: engine })
    expect(await webhooks(started)).toEqual([['done', null]])
    const { cues, errors } = readCues((await result(started)) ?? '')
    expect(errors).toEqual([])
    const written = cues.map(({ text }) => text).join(' ')
    const { errorRate } = compareWords(piecesOf(sentences.join(' ')), piecesOf(written))
    process.stdout.write(`${language}: error rate ${errorRate.toFixed(3)}\n`)
    expect(errorRate, written).toBeLessThanOrEqual(errorMax)
  })
})
