import { expect, test } from 'vitest'
import { collectTexts } from '../../../../testing/live-vendors/collect-texts.ts'
import { Utterances } from './utterances.ts'

const HEARD_SEC = 10
const heardSec = () => HEARD_SEC

function listen(translateTo: string | null = 'en-US') {
  const { sink, texts } = collectTexts()
  const emit = sink.text.bind(sink)
  const utterances = new Utterances({ language: 'ja-JP', translateTo, heardSec, emit })
  const shown = () =>
    texts.map(({ segment, text, isFinal, isTranslation }) =>
      [segment, isTranslation ? 'en' : 'ja', text + (isFinal ? '.' : '')].join(' '),
    )
  return { utterances, texts, shown }
}

const piece = (text: string, startSec: number | null = 1, endSec: number | null = 2) => ({
  text,
  startSec,
  endSec,
})

test('a guess that comes to nothing is taken back', () => {
  const { utterances, shown } = listen()
  utterances.guess([piece('えっと')])
  utterances.end()
  utterances.end()
  expect(shown()).toEqual(['0 ja えっと', '0 ja '])
})

test('a guess that stays the same is shown once', () => {
  const { utterances, shown } = listen()
  utterances.guess([piece('はい')])
  utterances.guess([piece('はい')])
  utterances.confirm(piece('はい'))
  utterances.guess([])
  utterances.end()
  expect(shown()).toEqual(['0 ja はい', '0 ja はい.'])
})

test('texts are one line without control characters', () => {
  const { utterances, texts } = listen()
  utterances.confirm(piece(' 緑茶\u0000と\n\u202e水  です\ud800 '))
  utterances.end()
  expect(texts.map(({ text }) => text)).toEqual(['緑茶 と 水 です\ufffd'])
})

test.each([
  ['times outside of the sound are moved into it', -3, 99, [0, HEARD_SEC]],
  ['an end before the start is the start', 5, 4, [5, 5]],
  ['missing times are those of the text before', null, null, [2, 2]],
])('%s', (_what, startSec, endSec, times) => {
  const { utterances, texts } = listen()
  utterances.confirm(piece('前'))
  utterances.end()
  utterances.confirm(piece('後', startSec, endSec))
  utterances.end()
  expect([texts[1]?.startSec, texts[1]?.endSec]).toEqual(times)
})

test('a pause ends what is confirmed, unless more is being guessed', () => {
  const { utterances, shown } = listen()
  utterances.confirm(piece('今日は'))
  utterances.guess([piece('お茶')])
  utterances.settle()
  expect(shown()).toEqual(['0 ja 今日はお茶'])
  utterances.guess([])
  utterances.settle()
  expect(shown().at(-1)).toBe('0 ja 今日は.')
})

test('a translation is final when that of a later segment begins, or at a pause', () => {
  const { utterances, shown } = listen()
  utterances.confirm(piece('今日は'))
  utterances.end()
  utterances.translate(0, 'Today')
  utterances.guessTranslation(0, '')
  utterances.confirm(piece('水を'))
  utterances.end()
  utterances.translate(1, 'water')
  utterances.settle()
  expect(shown()).toEqual([
    '0 ja 今日は.',
    '0 en Today',
    '1 ja 水を.',
    '0 en Today.',
    '1 en water.',
  ])
})

test('a late translation of a segment whose translation is final belongs to the next', () => {
  const { utterances, shown } = listen()
  utterances.confirm(piece('今日は'))
  utterances.end()
  utterances.translate(0, 'Today')
  utterances.endTranslation(0)
  utterances.translate(0, 'is late')
  utterances.confirm(piece('水を'))
  utterances.end()
  utterances.settle()
  expect(shown().slice(1)).toEqual(['0 en Today.', '1 ja 水を.', '1 en is late.'])
})

test('nothing is translated unless it was asked for', () => {
  const { utterances, shown } = listen(null)
  utterances.translate(0, 'Today')
  utterances.guessTranslation(0, 'Today')
  utterances.settle()
  expect(shown()).toEqual([])
})
