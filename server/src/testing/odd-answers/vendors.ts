import { ASKED_AGAIN, rowsOf } from './odd-answer.ts'

const heard = (word: unknown, start: unknown, end: unknown, more: object = {}) => ({
  word,
  start,
  end,
  confidence: 0.9,
  speaker: 0,
  punctuated_word: word,
  ...more,
})
const listened = (words: unknown) => ({
  metadata: { duration: 14 },
  results: { channels: [{ alternatives: [{ transcript: 'x', confidence: 1, words }] }] },
})
const between = (middle: object) => listened([heard('First', 0, 1), middle, heard('Last', 10, 11)])
const inRow = (words: readonly string[]) =>
  listened(words.map((word, index) => heard(word, index * 0.4, index * 0.4 + 0.4)))

const DEEPGRAM = rowsOf('deepgram', [
  ['no speaker of one word', between(heard('x', 1, 2, { speaker: null })), 'First x Last'],
  ['the speaker as a text', between(heard('x', 1, 2, { speaker: '1' })), 'First x Last'],
  [
    'a speaker that is no whole number',
    between(heard('x', 1, 2, { speaker: 0.5 })),
    'First x Last',
  ],
  ['no written form', between(heard('x', 1, 2, { punctuated_word: null })), 'First x Last'],
  ['a word ends 0.4 s before it begins', between(heard('x', 2, 1.6)), 'First x Last'],
  ['no confidence', between(heard('x', 1, 2, { confidence: null })), 'First x Last'],
  ['a confidence above 1', between(heard('x', 1, 2, { confidence: 1.0000001 })), 'First x Last'],
  ['no words for silence', listened(undefined), ''],
  ['no alternatives for silence', { results: { channels: [{ alternatives: [] }] } }, ''],
  ['words of the whole number of seconds as texts', between(heard('x', '1', '2')), 'First x Last'],
  [
    'an error with status 200',
    { err_code: 'INTERNAL', err_msg: 'no', request_id: 'r' },
    ASKED_AGAIN,
  ],
  ['the receipt of a callback', { request_id: 'a847f427' }, ASKED_AGAIN],
  [
    'Latin words in Japanese',
    inRow(['弊社', 'は', 'Google', 'Cloud', 'を', '使い', 'ます']),
    '弊社はGoogle Cloudを使います',
    'ja-JP',
  ],
  [
    'one Latin word in Japanese',
    inRow(['弊社', 'は', 'Google', 'を', '使い', 'ます']),
    '弊社はGoogleを使います',
    'ja-JP',
  ],
  ['a long vowel before a Latin word', inRow(['サーバー', 'Google']), 'サーバーGoogle', 'ja-JP'],
  [
    'Latin words and a number in Chinese',
    inRow(['我', '买', '了', 'iPhone', '15', 'Pro']),
    '我买了iPhone 15 Pro',
    'zh-CN',
  ],
  [
    'Latin words in Thai',
    inRow(['ดู', 'Facebook', 'Live', 'ทุก', 'วัน']),
    'ดูFacebook Liveทุกวัน',
    'th-TH',
  ],
])

const result = (content: string, start_time: unknown, end_time: unknown, more: object = {}) => ({
  type: 'word',
  start_time,
  end_time,
  alternatives: [{ content, confidence: 0.9, language: 'en', speaker: 'S1' }],
  ...more,
})
const transcript = (results: unknown) => ({ format: '2.9', job: {}, metadata: {}, results })
const amid = (middle: object) => transcript([result('First', 0, 1), middle, result('Last', 10, 11)])

const SPEECHMATICS = rowsOf('speechmatics', [
  ['no alternatives of one word', amid(result('x', 1, 2, { alternatives: [] })), 'First Last'],
  ['alternatives null', amid(result('x', 1, 2, { alternatives: null })), 'First Last'],
  [
    'no speaker',
    amid(result('x', 1, 2, { alternatives: [{ content: 'x', speaker: null }] })),
    'First x Last',
  ],
  [
    'an event among the words',
    amid({ type: 'audio_event', start_time: 1, end_time: 2, event_type: 'laughter' }),
    'First Last',
  ],
  [
    'an entity without times',
    amid({ type: 'entity', entity_class: 'number', spoken_form: [], written_form: [] }),
    'First Last',
  ],
  ['attached to null', amid(result('x', 1, 2, { attaches_to: null })), 'First x Last'],
  [
    'a punctuation without times',
    amid(result('.', undefined, undefined, { type: 'punctuation', attaches_to: 'previous' })),
    'First. Last',
  ],
  ['errors of a translation null', { ...amid(result('x', 1, 2)), metadata: null }, 'First x Last'],
  ['an error with status 200', { code: 500, error: 'Internal Server Error' }, ASKED_AGAIN],
  [
    'Latin words in Japanese',
    transcript(
      ['弊社', 'は', 'Google', 'Cloud', 'です'].map((content, index) =>
        result(content, index, index + 0.5),
      ),
    ),
    '弊社はGoogle Cloudです',
    'ja-JP',
  ],
])

const token = (text: unknown, start_ms: unknown, end_ms: unknown, more: object = {}) => ({
  text,
  start_ms,
  end_ms,
  confidence: 0.9,
  speaker: '1',
  ...more,
})
const tokens = (list: readonly unknown[]) => ({ id: 's', text: '', tokens: list })
const SONIOX = rowsOf('soniox', [
  [
    'the speaker as a number',
    tokens([token('First', 0, 900), token(' Last', 1000, 1900, { speaker: 2 })]),
    'First Last',
  ],
  [
    'no text in one token',
    tokens([token('First', 0, 900), token(null, 900, 950), token(' Last', 1000, 1900)]),
    'First Last',
  ],
  [
    'no times of one token',
    tokens([token('First', 0, 900), token(' x', null, null), token(' Last', 1000, 1900)]),
    'First x Last',
  ],
  [
    'the end of a token before its start',
    tokens([token('First', 900, 100), token(' Last', 1000, 1900)]),
    'First Last',
  ],
  [
    'a status of the translation that is no text',
    tokens([token('First', 0, 900, { translation_status: 1 })]),
    'First',
  ],
  ['an error with status 200', { error_type: 'internal', message: 'no' }, ASKED_AGAIN],
  [
    'Latin words in Japanese',
    tokens([
      token('来週', 0, 300),
      token('は', 500, 800),
      token(' New', 800, 1100),
      token(' York', 1200, 1500),
      token('です', 1600, 1900),
    ]),
    '来週は New Yorkです',
    'ja-JP',
  ],
])

const utterance = (words: readonly unknown[], more: object = {}) => ({
  start: 0,
  end: 12,
  text: 'said',
  speaker: 0,
  words,
  ...more,
})
const timed = (word: unknown, start: unknown, end: unknown) => ({
  word,
  start,
  end,
  confidence: 0.9,
})
const job = (utterances: unknown) => ({
  id: 'g',
  status: 'done',
  result: { metadata: {}, transcription: { full_transcript: '', languages: ['en'], utterances } },
})
const JAPANESE = (words: readonly string[]) =>
  job([utterance(words.map((word, index) => timed(word, index * 0.5, index * 0.5 + 0.5)))])
const GLADIA = rowsOf('gladia', [
  ['the speaker as a text', job([utterance([timed('First', 0, 1)], { speaker: '0' })]), 'First'],
  ['no words', job([utterance([], { words: null, text: 'First' })]), 'First'],
  [
    'a word without times',
    job([utterance([timed('First', 0, 1), { word: ' x' }, timed(' Last', 10, 11)])]),
    'First x Last',
  ],
  [
    'a word with null as its text',
    job([utterance([timed('First', 0, 1), timed(null, 1, 2)])]),
    'First',
  ],
  ['no text beside the words', job([utterance([timed('First', 0, 1)], { text: null })]), 'First'],
  [
    'the code of an error as a text',
    { ...job([utterance([timed('First', 0, 1)])]), error_code: '' },
    'First',
  ],
  [
    'an utterance without times',
    job([utterance([timed('First', 0, 1)], { start: null, end: null })]),
    'First',
  ],
  [
    'a word that ends before it begins',
    job([utterance([timed('First', 0, 1), timed(' Last', 5, 2)])]),
    'First Last',
  ],
  ['an error with status 200', { statusCode: 500, message: 'Internal server error' }, ASKED_AGAIN],
  [
    'Latin words in Japanese without spaces',
    JAPANESE(['今日', 'は', 'Microsoft', 'Teams', 'です']),
    '今日はMicrosoft Teamsです',
    'ja-JP',
  ],
  [
    'Latin words in Japanese with spaces',
    JAPANESE(['今日', 'は', ' Microsoft', ' Teams', 'です']),
    '今日は Microsoft Teamsです',
    'ja-JP',
  ],
])

export const VENDOR_ANSWERS = [...DEEPGRAM, ...SPEECHMATICS, ...SONIOX, ...GLADIA]
