import {
  SPEAKER_LABELS,
  TRANSCRIPT_FORMATS,
  type TranscriptLine,
} from '@interview-room/contract/transcripts.ts'
import { parse } from 'csv-parse/sync'
import { convertToHtml, extractRawText } from 'mammoth'
import { describe, expect, test } from 'vitest'
import { readCues } from '../../../testing/vtt.ts'
import { TRANSCRIPT_FILES } from './transcript-files.ts'

const HANAKO = '019a2f71-0000-7000-8000-000000000001'
const AWKWARD = '=1+1, said "quoted"\n次の行'

const lines: TranscriptLine[] = [
  lineOf(0, {
    text: 'こんにちは。今日は商品の表示についてうかがいます。',
    speaker: '森',
    role: 'moderator',
  }),
  lineOf(1, { text: 'はい。', participant_id: HANAKO, speaker: '花子 & Co <x>', role: 'panelist' }),
  lineOf(3600, { text: AWKWARD, speaker: null, role: null }),
]

function lineOf(atSec: number, line: Partial<TranscriptLine>): TranscriptLine {
  const times = { start_sec: atSec + 0.25, end_sec: atSec + 2.5 }
  return { ...times, text: '', participant_id: null, speaker: null, role: null, ...line }
}

const write = async (format: (typeof TRANSCRIPT_FORMATS)[number], speakers: 'name' | 'role') =>
  TRANSCRIPT_FILES[format].write({ title: '表示の調査, 2030-11-21 02:00 UTC', lines, speakers })

const LABELS = { name: ['森', '花子 & Co <x>'], role: ['moderator', 'panelist'] }

describe.each(SPEAKER_LABELS)('a transcript with speakers by %s', (speakers) => {
  const [moderator, panelist] = LABELS[speakers]

  test('is WebVTT with voices', async () => {
    const { cues, errors } = readCues(String(await write('vtt', speakers)))
    expect(errors).toEqual([])
    expect(cues.map(({ startTime, endTime, text }) => [startTime, endTime, text])).toEqual([
      [
        0.25,
        2.5,
        speakers === 'name'
          ? '<v.moderator 森>こんにちは。今日は商品の表示についてうか\nがいます。</v>'
          : '<v moderator>こんにちは。今日は商品の表示についてうか\nがいます。</v>',
      ],
      [
        1.25,
        3.5,
        speakers === 'name'
          ? '<v.panelist 花子 &amp; Co &lt;x&gt;>はい。</v>'
          : '<v panelist>はい。</v>',
      ],
      [3600.25, 3602.5, '=1+1, said "quoted" 次の行'],
    ])
  })

  test('is SRT', async () => {
    const read = String(await write('srt', speakers))
      .split('\r\n\r\n')
      .map((cue) => cue.trimEnd().split('\r\n'))
    expect(read.map(([number, times, ...text]) => [number, times, text.join('')])).toEqual([
      [
        '1',
        '00:00:00,250 --> 00:00:02,500',
        `${moderator}: こんにちは。今日は商品の表示についてうかがいます。`,
      ],
      ['2', '00:00:01,250 --> 00:00:03,500', `${panelist}: はい。`],
      ['3', '01:00:00,250 --> 01:00:02,500', '=1+1, said "quoted" 次の行'],
    ])
  })

  test('is text', async () => {
    expect(await write('txt', speakers)).toBe(
      [
        `[00:00:00] ${moderator}: こんにちは。今日は商品の表示についてうかがいます。`,
        `[00:00:01] ${panelist}: はい。`,
        '[01:00:00] =1+1, said "quoted" 次の行',
        '',
      ].join('\r\n'),
    )
  })

  test('is a table that a reader of CSV imports, without formulas', async () => {
    expect(parse(String(await write('csv', speakers)), { bom: true, columns: true })).toEqual([
      {
        speaker: moderator,
        start: '00:00:00.250',
        end: '00:00:02.500',
        text: 'こんにちは。今日は商品の表示についてうかがいます。',
      },
      { speaker: panelist, start: '00:00:01.250', end: '00:00:03.500', text: 'はい。' },
      { speaker: '', start: '01:00:00.250', end: '01:00:02.500', text: `'${AWKWARD}` },
    ])
  })

  test('is a document that another reader opens', async () => {
    const buffer = (await write('docx', speakers)) as Buffer
    const { value: html } = await convertToHtml({ buffer })
    expect(html).toMatch(/^<h1>(?:<a [^>]*><\/a>)?表示の調査, 2030-11-21 02:00 UTC<\/h1><p>/)
    const { value: text } = await extractRawText({ buffer })
    expect(text.split('\n\n').filter((paragraph) => paragraph !== '')).toEqual([
      '表示の調査, 2030-11-21 02:00 UTC',
      `[00:00:00] ${moderator}: こんにちは。今日は商品の表示についてうかがいます。`,
      `[00:00:01] ${panelist}: はい。`,
      '[01:00:00] =1+1, said "quoted" 次の行',
    ])
  })
})

test('by role, no format names anybody', async () => {
  for (const format of TRANSCRIPT_FORMATS) {
    const { value } =
      format === 'docx'
        ? await extractRawText({ buffer: (await write(format, 'role')) as Buffer })
        : { value: String(await write(format, 'role')) }
    expect([format, value.includes('花子'), value.includes('森'), value.includes(HANAKO)]).toEqual([
      format,
      false,
      false,
      false,
    ])
  }
})

test('without lines, every format is a file without lines', async () => {
  for (const format of TRANSCRIPT_FORMATS) {
    const body = await TRANSCRIPT_FILES[format].write({
      title: '無音',
      lines: [],
      speakers: 'name',
    })
    const isRead = format !== 'docx' || (await extractRawText({ buffer: body as Buffer })).value
    expect([format, isRead]).toEqual([format, format === 'docx' ? '無音\n\n' : true])
  }
})
