import { describe, expect, test } from 'vitest'
import { boardEn } from './board-en.ts'
import { boardJa } from './board-ja.ts'
import { captionsEn } from './captions-en.ts'
import { captionsJa } from './captions-ja.ts'
import { chatEn } from './chat-en.ts'
import { chatJa } from './chat-ja.ts'
import { consentEn } from './consent-en.ts'
import { consentJa } from './consent-ja.ts'
import { consoleEn } from './console-en.ts'
import { consoleJa } from './console-ja.ts'
import { en } from './en.ts'
import { ja } from './ja.ts'
import { lastTestEn } from './last-test-en.ts'
import { lastTestJa } from './last-test-ja.ts'
import { chooseLocale } from './locale.ts'
import { pdfEn } from './pdf-en.ts'
import { pdfJa } from './pdf-ja.ts'
import { peopleEn } from './people-en.ts'
import { peopleJa } from './people-ja.ts'
import { playgroundEn } from './playground-en.ts'
import { playgroundJa } from './playground-ja.ts'
import { playgroundRecordingsEn } from './playground-recordings-en.ts'
import { playgroundRecordingsJa } from './playground-recordings-ja.ts'
import { playgroundTestsEn } from './playground-tests-en.ts'
import { playgroundTestsJa } from './playground-tests-ja.ts'
import { pointerEn } from './pointer-en.ts'
import { pointerJa } from './pointer-ja.ts'
import { recordingEn } from './recording-en.ts'
import { recordingJa } from './recording-ja.ts'
import { reviewEn } from './review-en.ts'
import { reviewJa } from './review-ja.ts'
import { startEn } from './start-en.ts'
import { startJa } from './start-ja.ts'
import { testEn } from './test-en.ts'
import { testJa } from './test-ja.ts'
import { toolsEn } from './tools-en.ts'
import { toolsJa } from './tools-ja.ts'

/** The path `a.b.c` of every word, with the word. */
function wordsOf(dictionary: object, path = ''): [key: string, said: string][] {
  return Object.entries(dictionary).flatMap(([key, word]): [string, string][] => {
    const at = `${path}${key}`
    if (typeof word === 'string') return [[at, word]]
    if (typeof word === 'function') return [[at, String(word('Aki', 'Zone'))]]
    return wordsOf(word as object, `${at}.`)
  })
}

const keysOf = (dictionary: object) => wordsOf(dictionary).map(([key]) => key)
const HAS_KANA_OR_KANJI = /[\u3040-\u30ff\u4e00-\u9fff]/

describe('the dictionaries', () => {
  test.each([
    ['room page', ja, en],
    ['playground', playgroundJa, playgroundEn],
    ['recordings in the playground', playgroundRecordingsJa, playgroundRecordingsEn],
    ['connection tests in the playground', playgroundTestsJa, playgroundTestsEn],
    ['tools of the room page', toolsJa, toolsEn],
    ['chat and roster', chatJa, chatEn],
    ['board', boardJa, boardEn],
    ['review page', reviewJa, reviewEn],
    ['console', consoleJa, consoleEn],
    ['newest connection test', lastTestJa, lastTestEn],
    ['recording controls', recordingJa, recordingEn],
    ['consent', consentJa, consentEn],
    ['people', peopleJa, peopleEn],
    ['captions', captionsJa, captionsEn],
    ['start of a page', startJa, startEn],
    ['PDF handouts', pdfJa, pdfEn],
    ['pointer', pointerJa, pointerEn],
    ['connection test', testJa, testEn],
  ])('of the %s have the same keys in both languages', (_, japanese, english) => {
    expect(keysOf(english).toSorted()).toEqual(keysOf(japanese).toSorted())
  })

  test('have no empty text', () => {
    const all = [
      ja,
      en,
      playgroundJa,
      playgroundEn,
      playgroundRecordingsJa,
      playgroundRecordingsEn,
      playgroundTestsJa,
      playgroundTestsEn,
      toolsJa,
      toolsEn,
      chatJa,
      chatEn,
      boardJa,
      boardEn,
      reviewJa,
      reviewEn,
      consoleJa,
      consoleEn,
      consentJa,
      consentEn,
      lastTestJa,
      lastTestEn,
      pdfJa,
      pdfEn,
      pointerJa,
      pointerEn,
      captionsJa,
      captionsEn,
      testJa,
      testEn,
    ].flatMap((each) => wordsOf(each))
    expect(all.filter(([, said]) => said.trim() === '')).toEqual([])
  })

  test('in English have no Japanese', () => {
    const room = [
      en,
      toolsEn,
      chatEn,
      recordingEn,
      lastTestEn,
      consentEn,
      pdfEn,
      pointerEn,
      captionsEn,
    ]
    const english = [
      ...room,
      playgroundEn,
      playgroundRecordingsEn,
      boardEn,
      reviewEn,
      consoleEn,
      testEn,
    ]
    const all = english.flatMap((each) => wordsOf(each))
    expect(all.filter(([, said]) => HAS_KANA_OR_KANJI.test(said))).toEqual([])
  })

  test('use every name that they are given', () => {
    expect(ja.call.joined('佐藤')).toContain('佐藤')
    expect(en.call.joined('Sato')).toContain('Sato')
  })

  test('count one in English', () => {
    expect(testEn.devices.endsIn('1')).toMatch(/ 1 second\.$/)
    expect(consoleEn.problem.limited(1)).toMatch(/ 1 second\.$/)
    expect(consoleEn.problem.limited(2)).toMatch(/ 2 seconds\.$/)
  })

  test.each([
    [toolsJa, '佐藤 さん、田中 さんの接続が不安定です。'],
    [toolsEn, 'Weak connection: 佐藤, 田中.'],
  ])('separate several names as the language does', ({ line }, said) => {
    expect(line.others(['佐藤', '田中'].join(line.nameSeparator))).toBe(said)
  })
})

describe('the language of the page', () => {
  test.each([
    [['en', 'ja'], 'en'],
    [[null, 'en-GB'], 'en'],
    [[null, 'fr-FR', 'en'], 'en'],
    [['fr', undefined], 'ja'],
    [[], 'ja'],
  ])('for the preferences %j is %s', (wishes, locale) => {
    expect(chooseLocale(wishes)).toBe(locale)
  })
})

describe('an action that cannot be undone', () => {
  test.each([
    { locale: 'ja', tools: toolsJa, people: peopleJa, playground: playgroundJa },
    { locale: 'en', tools: toolsEn, people: peopleEn, playground: playgroundEn },
  ])('is worded differently from one that can be: $locale', ({ tools, people, playground }) => {
    const { person, close, shortcuts } = tools
    expect(person.banTitle('Aki')).not.toBe(people.removeTitle('Aki'))
    expect(person.banConfirm).not.toBe(people.removeConfirm)
    expect(close.confirm).not.toBe(shortcuts.close)
    expect(playground.room.closeConfirm).not.toBe(shortcuts.close)
  })
})
