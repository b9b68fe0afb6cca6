import * as fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { readCues } from '../../../testing/vtt.ts'
import { widthOf } from './caption-lines.ts'
import { checkWords } from './check-words.ts'
import type { Word } from './engines/word.ts'
import { cuesOf, writeWebvtt } from './webvtt.ts'

const log = pino({ enabled: false })

type Times = [startSec: number, endSec: number]
const word = (text: string, [startSec, endSec]: Times, speaker: string | null = null): Word => ({
  text,
  startSec,
  endSec,
  speaker,
})
const captionsOf = (streams: Parameters<typeof cuesOf>[0]) => writeWebvtt(cuesOf(streams))
const squeezed = (text: string) => text.replaceAll(/\s/g, '')

/** Parses a file. Throws for a line that the format does not allow. */
function parse(vtt: string) {
  const [header, ...blocks] = vtt.trimEnd().split('\n\n')
  expect(header).toBe('WEBVTT')
  return blocks.map((block) => {
    const [times = '', ...lines] = block.split('\n')
    const found = /^(\d\d+):(\d\d):(\d\d\.\d{3}) --> (\d\d+):(\d\d):(\d\d\.\d{3})$/.exec(times)
    if (found === null || lines.length === 0) throw new Error(`not a cue: ${block}`)
    const [h = 0, m = 0, s = 0, h2 = 0, m2 = 0, s2 = 0] = found.slice(1).map(Number)
    const text = lines.join('\n')
    const voice = /^<v ([^>\n]+)>([^]*)<\/v>$/.exec(text)
    const body = voice?.[2] ?? text
    expect(body).not.toMatch(/<|>|&(?!(amp|lt|gt);)/)
    const plain = body.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    return {
      startSec: h * 3600 + m * 60 + s,
      endSec: h2 * 3600 + m2 * 60 + s2,
      voice: voice?.[1] ?? null,
      lines: plain.split('\n'),
    }
  })
}

describe('the WebVTT of a transcription', () => {
  test('of silence is the bare header, without a byte order mark', () => {
    expect(captionsOf([[]])).toBe('WEBVTT\n')
    expect(captionsOf([])).toBe('WEBVTT\n')
  })

  test('names the speakers, and has a cue for each turn', () => {
    const words = [word(' Hello', [0.5, 1], 'Ann'), word(' there.', [1, 1.5], 'Ann')]
    expect(captionsOf([[...words, word(' Hi!', [1.6, 3661.0004], 'Bob <x> & Co\n')]])).toBe(
      'WEBVTT\n\n00:00:00.500 --> 00:00:01.500\n<v Ann>Hello there.</v>\n\n' +
        '00:00:01.600 --> 00:00:08.600\n<v Bob &lt;x&gt; &amp; Co>Hi!</v>\n',
    )
  })

  test("escapes the format's own characters, including the arrow", () => {
    const vtt = captionsOf([[word('a --> b <c> & d', [0, 1])]])
    expect(vtt).toContain('a --&gt; b &lt;c&gt; &amp; d')
    expect(vtt.match(/-->/g)).toHaveLength(1)
  })

  test('breaks Japanese after twenty full-width characters, two lines in a cue', () => {
    const cues = parse(captionsOf([[word('あ'.repeat(70), [0, 14])]]))
    expect(cues.map(({ lines }) => lines.map(({ length }) => length))).toEqual([
      [20, 15],
      [20, 15],
    ])
    expect(cues.map(({ startSec, endSec }) => endSec - startSec)).toEqual([7, 7])
  })

  test.each([
    ['begins with closing punctuation', `${'あ'.repeat(19)}い。${'う'.repeat(10)}`],
    ['begins with several closing marks', `${'あ'.repeat(18)}い」。${'う'.repeat(10)}`],
    ['ends with an opening bracket', `${'あ'.repeat(19)}「${'う'.repeat(10)}」`],
    ['begins with a small kana', `${'あ'.repeat(20)}っ${'う'.repeat(10)}`],
  ])('has no Japanese line that %s', (_, text) => {
    const [cue] = parse(captionsOf([[word(text, [0, 7])]]))
    const [first = '', second = ''] = cue?.lines ?? []
    expect(first + second).toBe(text)
    expect(first).not.toMatch(/「$/)
    expect(second).not.toMatch(/^[。」っ]/)
  })

  test('has no cue that begins with the full stop of the previous one', () => {
    const words = `${'あ'.repeat(39)}い。うえ`
      .split('')
      .map((text, index) => word(text, [index / 8, (index + 1) / 8]))
    const cues = parse(captionsOf([words])).map(({ lines }) => lines.join(''))
    expect(cues).toEqual(['あ'.repeat(39), 'い。うえ'])
  })

  test('keeps a foreign word in a Japanese line together', () => {
    const [before, after] = ['これはこのあいだの説明にでてきた', 'interviewのことです']
    const [cue] = parse(captionsOf([[word(before + after, [0, 7])]]))
    expect(cue?.lines).toEqual([before, after])
  })

  test.each([
    ['English', ' considerable subscription cancellations don’t', /\S+/g],
    ['Korean', ' 안녕하십니까여러분 인터뷰에참여해주셔서', /\S+/g],
    ['Japanese with a foreign word', 'これは長いinterviewですね', /interview/g],
  ])('has no cue that ends within a word of %s that arrived in pieces', (_, sentence, wordsOf) => {
    const pieces = sentence.repeat(9).match(/\s?[a-z’]{1,3}|\s?[^\sa-z]{1,2}/g) ?? []
    const words = pieces.map((text, index) => word(text, [index / 9, (index + 1) / 9]))
    const cues = parse(captionsOf([words])).map(({ lines }) => lines.join(' '))
    expect(cues.length).toBeGreaterThan(2)
    expect(squeezed(cues.join(''))).toBe(squeezed(sentence.repeat(9)))
    const whole = sentence.match(wordsOf) ?? []
    const shown = cues.flatMap((cue) => cue.match(wordsOf) ?? [])
    expect(shown).toEqual(Array.from({ length: 9 }, () => whole).flat())
  })

  test('counts the space after a word, at which a line may end', () => {
    const texts = [
      'ア一',
      '  ⺀',
      ' >>->>a<>a',
      ' --&<<>a',
      '!!!🌀!!⺀!⺀!⺀ ',
      '一アああああ一あ一',
    ]
    const cues = parse(captionsOf([texts.map((text) => word(text, [0, 0]))]))
    expect(squeezed(cues.flatMap(({ lines }) => lines).join(''))).toBe(squeezed(texts.join('')))
    for (const { lines } of cues) expect(lines.length).toBeLessThanOrEqual(2)
  })

  test('puts the cues of several people in order of time', () => {
    const ann = [word('one', [0, 1], 'Ann'), word('three', [4, 5], 'Ann')]
    const bob = [word('two', [0.5, 2], 'Bob')]
    expect(parse(captionsOf([ann, bob])).map(({ voice }) => voice)).toEqual(['Ann', 'Bob', 'Ann'])
  })

  test('has every character in order, in cues of at most 7 s and lines of at most 40 half widths', () => {
    const texts = fc.array(
      fc.record({
        text: fc.oneof(
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }),
          fc.stringMatching(/^ [a-z<>&-]{1,50}$/),
          fc.stringMatching(/^[あ-んア-ン一-丁]{1,90}$/),
        ),
        lengthSec: fc.double({ min: 0, max: 30, noNaN: true }),
        pauseSec: fc.double({ min: 0, max: 5, noNaN: true }),
      }),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(texts, (given) => {
        let at = 0
        const words: Word[] = given.map(({ text, lengthSec, pauseSec }) => {
          const startSec = at + pauseSec
          at = startSec + lengthSec
          return word(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '), [startSec, at])
        })
        const cues = parse(captionsOf([words]))
        expect(squeezed(cues.flatMap(({ lines }) => lines).join(''))).toBe(
          squeezed(words.map(({ text }) => text).join('')),
        )
        for (const { startSec, endSec, lines } of cues) {
          expect(endSec).toBeGreaterThan(startSec)
          expect(endSec - startSec).toBeLessThanOrEqual(7.0011)
          expect(lines.length).toBeLessThanOrEqual(2)
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(40)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('is valid for the validator of the W3C, whatever engines and people write', () => {
    const texts = fc.array(
      fc.record({
        text: fc.oneof(
          fc.string({ unit: 'binary', maxLength: 60 }),
          fc.constantFrom('-->', 'WEBVTT', 'NOTE x', 'STYLE', '</v>', '<v ', '&', '\n\n', '\u0000'),
        ),
        startSec: fc.double({ min: 0, max: 400_000, noNaN: true }),
        lengthSec: fc.double({ min: 0, max: 30, noNaN: true }),
        speaker: fc.option(fc.string({ unit: 'binary', maxLength: 40 })),
        role: fc.constantFrom(null, 'panelist', 'moderator'),
      }),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(texts, (given) => {
        const words = given.map(({ lengthSec, ...each }) => ({
          ...each,
          endSec: each.startSec + lengthSec,
        }))
        const checked = checkWords(words, { durationSec: 500_000, log }).map((each, index) => ({
          ...each,
          role: words[index]?.role ?? null,
        }))
        expect(readCues(captionsOf([checked, checked])).errors).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

test('a note says which participants the voices are', () => {
  const said = { endSec: 1, role: 'panelist' }
  const hanako = {
    ...said,
    text: 'Hi',
    startSec: 0,
    speaker: 'Hanako --> <b>',
    participantId: 'p-1',
  }
  const unknown = { ...said, text: 'Ho', startSec: 0.5, speaker: 'Guest', participantId: null }
  expect(
    captionsOf([[hanako, hanako], [unknown]])
      .split('\n\n')
      .slice(0, 2),
  ).toEqual(['WEBVTT', 'NOTE\n<v.panelist Hanako --&gt; &lt;b&gt;> p-1'])
})
