import { describe, expect, test } from 'vitest'
import { useTranscriptions } from '../../../testing/transcriptions.ts'
import type { Engine } from './engines/engine.ts'
import { listLines } from './line-store.ts'
import { cuesOf, lineOf } from './webvtt.ts'

const { plane, start, run } = useTranscriptions()

const engine: Engine = {
  name: 'fake',
  capabilities: {
    languages: ['en-US'],
    translatesFrom: [],
    audioMaxSec: 3600,
    audioMaxBytes: 1e9,
    speakerLabels: true,
    audioFormat: 'wav',
  },
  submit: async () => ({
    kind: 'done',
    words: [
      { text: ' Hello', startSec: 0.2, endSec: 0.80049, speaker: 'Speaker 1' },
      { text: ' there.', startSec: 0.9, endSec: 1.3, speaker: 'Speaker 1' },
      { text: ' Hi.', startSec: 1.4, endSec: 1.6, speaker: 'Speaker 2' },
    ],
  }),
}

describe('the lines of a transcript', () => {
  test('are the cues of the newest revision, stored when it is done', async () => {
    const started = await start()
    const { db } = plane.database
    expect(await listLines(db, started.id)).toEqual([])
    await run(started, { engine_c: engine })
    const nobody = { participant_id: null, role: null }
    expect(await listLines(db, started.id)).toEqual([
      { start_sec: 0.2, end_sec: 1.3, text: 'Hello there.', speaker: 'Speaker 1', ...nobody },
      { start_sec: 1.4, end_sec: 1.6, text: 'Hi.', speaker: 'Speaker 2', ...nobody },
    ])
    await plane.tenant.delete(`/recordings/${started.recordingId}`)
    expect(await listLines(db, started.id)).toEqual([])
  })

  test.each([
    ['お茶を買うときは、だいたい色で選びます。味は色から想像することが多いです', 2],
    ['I mostly choose by the colour, because the colour tells me the taste', 2],
  ])('keep the spaces of their language where a caption has a line break', (text, count) => {
    const cues = cuesOf([[{ text, startSec: 1, endSec: 6, speaker: null }]])
    expect(cues.map(({ lines }) => lines.length)).toEqual([count])
    expect(cues.map((cue) => lineOf(cue).text)).toEqual([text])
  })
})
