import { boardEn } from '@interview-room/web/src/i18n/board-en.ts'
import { boardJa } from '@interview-room/web/src/i18n/board-ja.ts'
import { captionsEn } from '@interview-room/web/src/i18n/captions-en.ts'
import { captionsJa } from '@interview-room/web/src/i18n/captions-ja.ts'
import { chatEn } from '@interview-room/web/src/i18n/chat-en.ts'
import { chatJa } from '@interview-room/web/src/i18n/chat-ja.ts'
import { consentEn } from '@interview-room/web/src/i18n/consent-en.ts'
import { consentJa } from '@interview-room/web/src/i18n/consent-ja.ts'
import { consoleEn } from '@interview-room/web/src/i18n/console-en.ts'
import { consoleJa } from '@interview-room/web/src/i18n/console-ja.ts'
import { en } from '@interview-room/web/src/i18n/en.ts'
import { ja } from '@interview-room/web/src/i18n/ja.ts'
import { lastTestEn } from '@interview-room/web/src/i18n/last-test-en.ts'
import { lastTestJa } from '@interview-room/web/src/i18n/last-test-ja.ts'
import { pdfEn } from '@interview-room/web/src/i18n/pdf-en.ts'
import { pdfJa } from '@interview-room/web/src/i18n/pdf-ja.ts'
import { peopleEn } from '@interview-room/web/src/i18n/people-en.ts'
import { peopleJa } from '@interview-room/web/src/i18n/people-ja.ts'
import { playgroundEn } from '@interview-room/web/src/i18n/playground-en.ts'
import { playgroundJa } from '@interview-room/web/src/i18n/playground-ja.ts'
import { playgroundRecordingsEn } from '@interview-room/web/src/i18n/playground-recordings-en.ts'
import { playgroundRecordingsJa } from '@interview-room/web/src/i18n/playground-recordings-ja.ts'
import { pointerEn } from '@interview-room/web/src/i18n/pointer-en.ts'
import { pointerJa } from '@interview-room/web/src/i18n/pointer-ja.ts'
import { recordingEn } from '@interview-room/web/src/i18n/recording-en.ts'
import { recordingJa } from '@interview-room/web/src/i18n/recording-ja.ts'
import { reviewEn } from '@interview-room/web/src/i18n/review-en.ts'
import { reviewJa } from '@interview-room/web/src/i18n/review-ja.ts'
import { shareEn } from '@interview-room/web/src/i18n/share-en.ts'
import { shareJa } from '@interview-room/web/src/i18n/share-ja.ts'
import { startEn } from '@interview-room/web/src/i18n/start-en.ts'
import { startJa } from '@interview-room/web/src/i18n/start-ja.ts'
import { testEn } from '@interview-room/web/src/i18n/test-en.ts'
import { testJa } from '@interview-room/web/src/i18n/test-ja.ts'
import { toolsEn } from '@interview-room/web/src/i18n/tools-en.ts'
import { toolsJa } from '@interview-room/web/src/i18n/tools-ja.ts'

/** Chooses texts from a dictionary of the pages; returns a pattern that matches them in every language. */
type TextMatcher<Dictionary> = (
  choose: (dictionary: Dictionary) => string | readonly string[],
) => RegExp

/** A placeholder for a name or a number within a text: `toolsText((t) => t.person.actions(ANYTHING))`. */
export const ANYTHING = '\u{e000}'

/**
 * The texts by which a person finds elements on a page, taken from the dictionaries of the pages. A test that presses
 * `roomText((t) => t.call.leave)` survives a better wording, and works in both languages.
 */
function textsOf<Dictionary>(...languages: readonly Dictionary[]): TextMatcher<Dictionary> {
  return (choose) => {
    const texts = languages.flatMap((dictionary) => choose(dictionary)).map(patternOf)
    return new RegExp(`^(?:${texts.join('|')})$`)
  }
}

/** Soft hyphens and break opportunities are not part of a name. */
function patternOf(text: string): string {
  return RegExp.escape(text.replace(/[\u{ad}\u{200b}]/gu, '')).replaceAll(ANYTHING, '.*')
}

/** The same texts followed by more, such as a number of new messages. */
export function beginningWith({ source }: RegExp): RegExp {
  return new RegExp(`${source.slice(0, -1)}(?:\\s|$)`)
}

/** The same texts within a longer text. */
export function containing({ source }: RegExp): RegExp {
  return new RegExp(source.slice(1, -1))
}

export const consoleText = textsOf(consoleJa, consoleEn)
export const roomText = textsOf(ja, en)
export const captionsText = textsOf(captionsJa, captionsEn)
export const chatText = textsOf(chatJa, chatEn)
export const toolsText = textsOf(toolsJa, toolsEn)
export const consentText = textsOf(consentJa, consentEn)
export const peopleText = textsOf(peopleJa, peopleEn)
export const pdfText = textsOf(pdfJa, pdfEn)
export const pointerText = textsOf<typeof pointerJa>(pointerJa, pointerEn)
export const recordingText = textsOf(recordingJa, recordingEn)
export const boardText = textsOf(boardJa, boardEn)
export const reviewText = textsOf(reviewJa, reviewEn)
export const shareText = textsOf(shareJa, shareEn)
export const lastTestText = textsOf(lastTestJa, lastTestEn)
export const startText = textsOf(startJa, startEn)
export const testText = textsOf(testJa, testEn)
export const playgroundText = textsOf(playgroundJa, playgroundEn)
export const playgroundRecordingsText = textsOf(playgroundRecordingsJa, playgroundRecordingsEn)
