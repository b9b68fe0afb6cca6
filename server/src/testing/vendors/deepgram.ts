import { json, type VendorFixture } from './vendor-fixture.ts'

/** Deepgram API reference of 2026-08, "Transcribe and analyze pre-recorded audio", and "Errors". */
export const deepgram: VendorFixture = {
  name: 'deepgram',
  follows: 'Deepgram REST API 1.0.0 (OpenAPI, 2026-08), POST /v1/listen',
  isSubmission: ({ address }) => address.startsWith('/v1/listen?'),
  hearing: (said) => () => {
    const words = said.map(([text, start, end]) => ({
      word: text.toLowerCase().replaceAll(/\W/g, ''),
      start,
      end,
      confidence: 0.9,
      speaker: 0,
      speaker_confidence: 0.8,
      punctuated_word: text,
    }))
    const transcript = said.map(([text]) => text).join(' ')
    return json({
      metadata: {
        transaction_key: 'deprecated',
        request_id: 'a847f427-4ad5-4d67-9b95-db801e58251c',
        sha256: '00',
        created: '2026-11-21T12:00:00.000Z',
        duration: 2,
        channels: 1,
        models: [],
        model_info: {},
      },
      results: { channels: [{ alternatives: [{ transcript, confidence: 0.9, words }] }] },
    })
  },
  refuses: [
    {
      answer: json(
        {
          err_code: 'Bad Request',
          err_msg: 'Bad Request: failed to process audio: corrupt or unsupported data',
          request_id: 'a847f427-4ad5-4d67-9b95-db801e58251c',
        },
        400,
      ),
      reason: 'unsupported_audio',
    },
  ],
}
