import type { CaptionBody, LiveTextBody } from '@interview-room/contract/live-text.ts'
import { describe, expect, test } from 'vitest'
import {
  finishedOf,
  textIn,
  translatedTo,
  type Utterance,
  withCaption,
  withHistory,
} from './utterances.ts'

const SPOKEN = { participant_id: null, identity: 'p-1', language: 'ja-JP', is_translation: false }
const caption = (text: string, over: Partial<CaptionBody> = {}): CaptionBody => ({
  ...SPOKEN,
  segment: 's-1',
  final: false,
  text,
  ...over,
})
const stored = (text: string, over: Partial<LiveTextBody> = {}): LiveTextBody => ({
  ...SPOKEN,
  segment: 's-1',
  text,
  display_name: 'Sato',
  started_at: '2030-01-01T10:00:00.000Z',
  ended_at: '2030-01-01T10:00:01.000Z',
  ...over,
})
const TEN = Date.parse('2030-01-01T10:00:00.000Z')

/** The utterances after these captions, one a second. */
const heard = (...captions: CaptionBody[]) =>
  captions.reduce<readonly Utterance[]>(
    (known, each, at) =>
      withCaption(known, each, { name: 'Sato', atMs: TEN + at * 1000, heardAtMs: at * 1000 }),
    [],
  )
const textsOf = (known: readonly Utterance[], language: string | null = null) =>
  known.map((each) => textIn(each, language)?.text ?? null)

describe('what is being said', () => {
  test('replaces itself, and stays as it is once it is final', () => {
    const partial = heard(caption('朝は'), caption('朝はいつも'))
    expect(textsOf(partial)).toEqual(['朝はいつも'])
    const final = heard(
      caption('朝は'),
      caption('朝はコーヒー。', { final: true }),
      caption('朝はコー'),
    )
    expect(textsOf(final)).toEqual(['朝はコーヒー。'])
    expect(final[0]).toMatchObject({ atMs: TEN, heardAtMs: 1000, name: 'Sato' })
  })

  test('disappears when its speaker says something else, as after the end of the process that listened', () => {
    const known = heard(
      caption('朝はいつ'),
      caption('はい', { identity: 'p-2', segment: 's-2' }),
      caption('コーヒーを', { segment: 's-3' }),
    )
    expect(textsOf(known)).toEqual(['はい', 'コーヒーを'])
  })

  test('is forgotten if its end may have been missed', () => {
    const known = heard(caption('朝は', { final: true }), caption('いつ', { segment: 's-2' }))
    expect(textsOf(finishedOf(known))).toEqual(['朝は'])
  })

  test('disappears if nothing was said after all', () => {
    expect(textsOf(heard(caption('えっ'), caption('', { final: true })))).toEqual([null])
  })

  test('is read in the chosen language as soon as there is a translation', () => {
    const english = { language: 'en', is_translation: true, final: true }
    const known = heard(
      caption('おはよう', { final: true }),
      caption('Good morning', english),
      caption('はい', { segment: 's-2' }),
    )
    expect(textsOf(known)).toEqual(['おはよう', 'はい'])
    expect(textsOf(known, 'en')).toEqual(['Good morning', 'はい'])
    expect(textsOf(known, 'de')).toEqual(['おはよう', 'はい'])
    expect(translatedTo(known)).toEqual(['en'])
  })
})

describe('what was said before', () => {
  test('stands before what is being said, each utterance once', () => {
    const next = caption('次', { identity: 'p-2', segment: 's-4' })
    const now = heard(caption('今', { segment: 's-3' }), next)
    const known = withHistory(now, [
      stored('一', { segment: 's-1', started_at: '2030-01-01T09:59:00.000Z' }),
      stored('二', { segment: 's-2', started_at: '2030-01-01T09:59:30.000Z' }),
      stored('今です。', { segment: 's-3', started_at: '2030-01-01T09:59:59.000Z' }),
    ])
    expect(textsOf(known)).toEqual(['一', '二', '今です。', '次'])
    expect(known.map(({ heardAtMs }) => heardAtMs)).toEqual([null, null, 0, 1000])
  })

  test('has its translations, and is loaded again without a change', () => {
    const page = [stored('はい'), stored('Yes', { is_translation: true, language: 'en' })]
    const once = withHistory([], page)
    expect(textsOf(once, 'en')).toEqual(['Yes'])
    expect(withHistory(once, page)).toEqual(once)
  })
})
