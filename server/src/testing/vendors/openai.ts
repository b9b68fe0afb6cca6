import { json, type VendorFixture } from './vendor-fixture.ts'

const segmentOf = (text: string, start: number, end: number) => ({
  id: 0,
  seek: 0,
  start,
  end,
  text: ` ${text}`,
  tokens: [],
  temperature: 0,
  avg_logprob: -0.2,
  compression_ratio: 1,
  no_speech_prob: 0.01,
})

const lineOf = (said: readonly (readonly [string, number, number])[]) => {
  const [first, last] = [said[0], said.at(-1)]
  if (first === undefined || last === undefined) return []
  return [segmentOf(said.map(([text]) => text).join(' '), first[1], last[2])]
}

/** OpenAI OpenAPI 2.3.0 (2026-08): `CreateTranscriptionResponseVerboseJson`, `ErrorResponse`. */
export const openai: VendorFixture = {
  name: 'openai',
  follows: 'OpenAI OpenAPI 2.3.0, "Create transcription" and "Create translation", verbose_json',
  isSubmission: ({ address }) => address === '/audio/transcriptions',
  hearing: (said) => () =>
    json({
      task: 'transcribe',
      language: 'english',
      duration: 2,
      text: said.map(([text]) => text).join(' '),
      segments: lineOf(said),
      words: said.map(([word, start, end]) => ({ word, start, end })),
      usage: { type: 'duration', seconds: 2 },
    }),
  translating:
    (said) =>
    ({ address }) =>
      address === '/audio/translations'
        ? json({ language: 'english', duration: 2, text: '', segments: lineOf(said) })
        : json({ error: { message: 'not asked for', type: 'x', param: null, code: null } }, 400),
  refuses: [
    {
      answer: json(
        {
          error: {
            message: 'You exceeded your current quota.',
            type: 'insufficient_quota',
            param: null,
            code: 'credit_balance_exhausted',
          },
        },
        429,
      ),
      reason: 'quota_exceeded',
    },
  ],
}
