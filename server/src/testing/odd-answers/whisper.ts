import { ASKED_AGAIN, REFUSED, rowsOf } from './odd-answer.ts'

const segment = (start: unknown, end: unknown, text: unknown) => ({ id: 0, start, end, text })
const verbose = (segments: readonly object[], more: object = {}) => ({
  task: 'transcribe',
  language: 'english',
  duration: 14,
  text: 'said',
  segments,
  ...more,
})
const [FIRST, SECOND, LAST] = [
  segment(0, 2, ' First.'),
  segment(4, 6, ' Second.'),
  segment(10, 12, ' Last.'),
]
const AROUND = (middle: object) => verbose([FIRST, middle, LAST])

/** Whisper of OpenAI, faster-whisper, whisper.cpp, WhisperX, transformers, vLLM. */
export const WHISPER_ANSWERS = rowsOf('openai', [
  ['a segment ends 6 s before it begins', AROUND(segment(9, 3, ' Odd.')), 'First. Odd. Last.'],
  ['a segment ends 0.3 s before it begins', AROUND(segment(5.3, 5, ' Odd.')), 'First. Odd. Last.'],
  ['begins at -0.02', verbose([segment(-0.02, 1, ' First.'), LAST]), 'First. Last.'],
  ['begins at -1e-9', verbose([segment(-1e-9, 1, ' First.'), LAST]), 'First. Last.'],
  ['no end of the last line', verbose([FIRST, segment(10, null, ' Last.')]), 'First. Last.'],
  ['no start of a line', AROUND(segment(undefined, 6, ' Odd.')), 'First. Odd. Last.'],
  [
    'NaN and Infinity in fields that are not read',
    '{"text":"x","segments":[{"start":0,"end":2,"text":" First.","avg_logprob":NaN},' +
      '{"start":10,"end":12,"text":" Last. NaN \\" NaN","compression_ratio":-Infinity}]}',
    'First. Last. NaN " NaN',
  ],
  [
    'NaN as a time',
    '{"text":"x","segments":[{"start":0,"end":NaN,"text":" First."},{"start":10,"end":12,"text":" Last."}]}',
    'First. Last.',
  ],
  [
    'null for what the server does not compute',
    verbose([{ ...FIRST, compression_ratio: null, no_speech_prob: null }, LAST], { words: null }),
    'First. Last.',
  ],
  ['the duration as a text', verbose([FIRST, LAST], { duration: '14.0' }), 'First. Last.'],
  [
    'words without times beside whole lines',
    verbose([FIRST, LAST], { words: [{ word: 'First', start: 0, end: 1 }, { word: '2266' }] }),
    'First. Last.',
  ],
  [
    'words, one of them without times, and no lines',
    {
      text: 'x',
      words: [
        { word: 'First', start: 0, end: 1 },
        { word: '2266' },
        { word: 'Last', start: 10, end: 11 },
      ],
    },
    'First 2266 Last',
  ],
  [
    'words that carry their spaces',
    {
      text: 'x',
      words: [
        { word: ' Fir', start: 0, end: 1, probability: 0.5 },
        { word: 'st', start: 1, end: 2, probability: 2 },
        { word: ' Last', start: 10, end: 11 },
      ],
    },
    'First Last',
  ],
  [
    'the last line runs 80 s behind the end',
    verbose([FIRST, segment(10, 95, 'Last.')]),
    'First. Last.',
  ],
  [
    'an invented line behind the end',
    verbose([FIRST, SECOND, LAST, segment(90, 95, ' Thanks for watching!')]),
    'First. Second. Last.',
  ],
  ['lines out of order', verbose([LAST, FIRST, SECOND]), 'First. Second. Last.'],
  [
    'times as texts',
    verbose([segment('0', '2', 'First.'), segment('10', '12', 'Last.')]),
    'First. Last.',
  ],
  ['no text in one line', AROUND(segment(4, 5, null)), 'First. Last.'],
  ['an empty line', AROUND(segment(4, 4, '')), 'First. Last.'],
  [
    'no whole object among the lines',
    verbose([FIRST, null as unknown as object, LAST]),
    'First. Last.',
  ],
  ['the whole text is missing', { segments: [FIRST, LAST] }, 'First. Last.'],
  [
    'the whole text as a list',
    verbose([FIRST, LAST], { text: ['First.', 'Last.'] }),
    'First. Last.',
  ],
  ['a mark of the byte order', `\ufeff${JSON.stringify(verbose([FIRST, LAST]))}`, 'First. Last.'],
  [
    'an error with status 200',
    { error: { message: 'CUDA out of memory', code: 500 } },
    ASKED_AGAIN,
  ],
  ['an error of vLLM with status 200', { object: 'error', message: 'no', code: 400 }, ASKED_AGAIN],
  ['a detail of FastAPI with status 200', { detail: 'Internal error' }, ASKED_AGAIN],
  ['nothing', '', ASKED_AGAIN],
  ['null', 'null', ASKED_AGAIN],
  ['cut JSON', JSON.stringify(verbose([FIRST, LAST])).slice(0, 90), ASKED_AGAIN],
  ['HTML as JSON', '<html><body>502 Bad Gateway</body></html>', ASKED_AGAIN],
  ['a text without times', { text: 'First. Last.' }, REFUSED],
  [
    'two of three lines of another audio',
    verbose([segment(900, 901, 'x'), segment(950, 951, 'y'), LAST]),
    REFUSED,
  ],
  [
    'two lines that meet between Latin words',
    verbose([segment(0, 2, '来週は New'), segment(2, 4, 'York に行きます')]),
    '来週は New York に行きます',
    'ja-JP',
  ],
])
