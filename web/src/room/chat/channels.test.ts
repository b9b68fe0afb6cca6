import { CHAT_STAMPS } from '@interview-room/contract/chat-rules.ts'
import { ROLES, VISIBILITIES } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { chatEn } from '../../i18n/chat-en.ts'
import { chatJa } from '../../i18n/chat-ja.ts'
import {
  canWrite,
  channelsOf,
  channelWords,
  firstChatOf,
  stampLabel,
  stampsIn,
} from './channels.ts'

describe('the chats of a role', () => {
  test.each([
    ['panelist', ['public'], ['public']],
    ['moderator', ['public', 'private'], ['public', 'private']],
    ['observer', ['public', 'private', 'observer_only'], ['private', 'observer_only']],
    [
      'platform_observer',
      ['public', 'private', 'observer_only'],
      ['public', 'private', 'observer_only'],
    ],
  ] as const)('%s reads %j and writes %j', (role, read, written) => {
    expect(channelsOf(role)).toEqual(read)
    expect(VISIBILITIES.filter((each) => canWrite(role, each))).toEqual(written)
  })

  test.each([
    ['panelist', null],
    ['moderator', 'public'],
    ['observer', 'private'],
    ['platform_observer', 'public'],
  ] as const)('%s finds %j open', (role, first) => {
    expect(firstChatOf(role)).toBe(first)
  })

  test('a panelist does not learn that there are other chats', () => {
    expect(channelWords(chatJa, 'panelist', 'public')).toBe(chatJa.onlyChat)
    expect(channelWords(chatJa, 'moderator', 'public')).toBe(chatJa.channel.public)
  })
})

describe('stamps', () => {
  test('depend on the role and the chat', () => {
    expect(stampsIn('moderator', 'private')).toEqual(['ok', 'ask_later', 'anything_else'])
    expect(stampsIn('platform_observer', 'observer_only')).toEqual(['nice', 'ok', 'i_see', 'a_lot'])
    expect(ROLES.filter((role) => stampsIn(role, 'public').length > 0)).toEqual([
      'platform_observer',
    ])
    expect(VISIBILITIES.flatMap((each) => stampsIn('panelist', each))).toEqual([])
  })

  test.each([chatJa, chatEn])('all have words in each language', (text) => {
    const nameless = CHAT_STAMPS.flatMap(({ visibility, identifiers }) =>
      identifiers.filter((each) => stampLabel(text, visibility, each) === each),
    )
    expect(nameless).toEqual([])
  })

  test('of the same identifier have the words of their chat', () => {
    expect(stampLabel(chatEn, 'private', 'ok')).toBe('Got it')
    expect(stampLabel(chatEn, 'observer_only', 'ok')).toBe('OK')
    expect(stampLabel(chatEn, 'public', 'toString')).toBe('toString')
  })
})
