import { expect, test } from 'vitest'
import type { Utterance } from '../../live/utterances.ts'
import { CAPTION_STAYS_MS, currentCaptions } from './current-captions.ts'

const said = (
  segment: string,
  { by, at, isFinal = false }: { by: string; at: number | null; isFinal?: boolean },
): Utterance => ({
  segment,
  identity: by,
  name: by,
  atMs: 0,
  heardAtMs: at,
  original: { text: segment, language: 'ja-JP', isFinal },
  translations: [{ text: `${segment} in English`, language: 'en', isFinal }],
})
const shown = (utterances: Utterance[], language: string | null = null) =>
  currentCaptions(utterances, language).map(({ text }) => text)

test('nothing that was said before the page was opened is a caption', () => {
  expect(shown([said('old', { by: 'A', at: null, isFinal: true })])).toEqual([])
})

test('the last text stays until somebody says more', () => {
  const first = said('first', { by: 'A', at: 10, isFinal: true })
  expect(shown([first])).toEqual(['first'])
  expect(shown([first, said('next', { by: 'B', at: 20 })])).toEqual(['next'])
  expect(shown([first, said('next', { by: 'B', at: 20, isFinal: true })])).toEqual(['next'])
})

test('two who speak at the same time have a caption each, and nobody a third one', () => {
  const a = said('a', { by: 'A', at: 30 })
  const b = said('b', { by: 'B', at: 20 })
  expect(shown([a, b])).toEqual(['b', 'a'])
  expect(shown([a, b, said('c', { by: 'C', at: 40 })])).toEqual(['a', 'c'])
  const older = said('a before', { by: 'A', at: 10 })
  expect(shown([older, a, b])).toEqual(['b', 'a'])
})

test('a text that never became final goes away', () => {
  const lost = said('lost', { by: 'A', at: 10 })
  expect(shown([lost, said('b', { by: 'B', at: 20 + CAPTION_STAYS_MS })])).toEqual(['b'])
})

test('captions are in the chosen language', () => {
  expect(shown([said('a', { by: 'A', at: 10 })], 'en')).toEqual(['a in English'])
})
