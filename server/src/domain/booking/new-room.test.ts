import { TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../testing/refusal-of.ts'
import { settingsOf } from './new-room.ts'

const session = {
  external_type: 'Slot',
  external_id: '1',
  starts_at: '2026-06-01T10:00:00Z',
  ends_at: '2026-06-01T11:00:00Z',
}

// contract: createRoom › Defaults: always, 640x480, 320x240, 15, ja-JP (`DEFAULT_LANGUAGE`),
//   engine_c (`DEFAULT_ENGINE`)
test('a room without settings gets the defaults of the contract', () => {
  expect(settingsOf({ kind: 'interview', session }, TRANSCRIPTION_LANGUAGES)).toEqual({
    kind: 'interview',
    archiveMode: 'always',
    archiveResolution: '640x480',
    streamResolution: '320x240',
    streamFrameRate: 15,
    transcriptionLanguage: 'ja-JP',
    transcriptionService: 'engine_c',
    transcriptionFailover: null,
    liveText: null,
  })
})

describe('the transcription language', () => {
  // contract: createRoom › `transcription_language` without regard to case, stored in canonical
  //   spelling
  test.each([
    ['ja-jp', 'ja-JP'],
    ['EN-us', 'en-US'],
    ['zh-TW', 'zh-TW'],
  ])('%s is stored as %s', (transcription_language, expected) => {
    const settings = settingsOf(
      { kind: 'interview', session, transcription_language },
      TRANSCRIPTION_LANGUAGES,
    )
    expect(settings.transcriptionLanguage).toBe(expected)
  })

  test('is one of those that the service offers', () => {
    const languages = ['ja-JP', 'en-US']
    const body = { kind: 'interview', session } as const
    const known = settingsOf({ ...body, transcription_language: 'en-us' }, languages)
    expect(known.transcriptionLanguage).toBe('en-US')
    expect(() => settingsOf({ ...body, transcription_language: 'ko-KR' }, languages)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    )
  })

  // contract: createRoom › A language that is not offered is refused with those that are
  test.each(['fr-FR', 'ja', 'ja_JP', 'xx'])('%s is refused with the allowed ones', (code) => {
    const create = () =>
      settingsOf(
        { kind: 'interview', session, transcription_language: code },
        TRANSCRIPTION_LANGUAGES,
      )
    expect(refusalOf(create)).toEqual({
      code: 'INVALID_REQUEST',
      details: [['transcription_language', 'INVALID_ENUM']],
    })
    const message = expect.stringContaining('ja-JP, en-US, zh-CN, zh-TW, ko-KR, th-TH, vi-VN')
    expect(create).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ message })] }),
    )
  })
})
