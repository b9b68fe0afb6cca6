import { expect, test } from 'vitest'
import { activitiesOf, heardIn, type SoundOfPiece } from './activity.ts'

/** Packets of 20 ms, loud within these spans and silent elsewhere. */
function units(toMs: number, loud: readonly [number, number][]) {
  return Array.from({ length: toMs / 20 }, (_, index) => {
    const timeMs = index * 20
    const isLoud = loud.some(([from, to]) => timeMs >= from && timeMs < to)
    return { offset: 0, size: 1, atMs: timeMs, timeMs, samples: 960, level: isLoud ? 20 : 127 }
  })
}

const published = (track: string, role: 'microphone' | 'screen-sound') =>
  ({ fact: 'published', atMs: 0, participant: 'PA_1', track, role, isMuted: false }) as const

interface Part extends SoundOfPiece {
  offsetMs: number
}

const part = (
  { startMs, endMs, offsetMs }: { startMs: number; endMs: number; offsetMs: number },
  loud: readonly [number, number][],
): Part => ({
  fromMs: startMs,
  toMs: endMs,
  offsetMs,
  voices: [{ participant: 'PA_1', audio: { track: 'TR_1', units: units(endMs + 1000, loud) } }],
  events: [
    { fact: 'joined', atMs: 0, participant: 'PA_1', identity: 'hanako', name: 'Hanako' },
    published('TR_1', 'microphone'),
    published('TR_2', 'microphone'),
    published('TR_3', 'screen-sound'),
  ],
})

const heard = (parts: readonly Part[], durationMs: number) =>
  activitiesOf(
    parts.map((each) => ({ heard: heardIn(each), offsetMs: each.offsetMs })),
    durationMs,
  )

test('speech stands where it is in the file, also after a pause', () => {
  const parts = [
    part({ startMs: 1_000, endMs: 11_000, offsetMs: 0 }, [[3_000, 5_000]]),
    part({ startMs: 60_000, endMs: 70_000, offsetMs: 10_000 }, [[62_000, 63_000]]),
  ]
  const [hanako] = heard(parts, 20_000)
  expect(hanako?.speech).toEqual([
    { fromMs: 2_000, toMs: 4_000 },
    { fromMs: 12_000, toMs: 13_000 },
  ])
  expect(hanako?.levels).toHaveLength(20)
  expect(hanako?.levels.flatMap((level, second) => (level === 107 ? [second] : []))).toEqual([
    2, 3, 12,
  ])
})

test('a break below a second is part of the speech, and a longer one is not', () => {
  const loud: [number, number][] = [
    [1_000, 2_000],
    [2_500, 3_500],
    [5_000, 6_000],
  ]
  const [hanako] = heard([part({ startMs: 0, endMs: 8_000, offsetMs: 0 }, loud)], 8_000)
  expect(hanako?.speech).toEqual([
    { fromMs: 1_000, toMs: 3_500 },
    { fromMs: 5_000, toMs: 6_000 },
  ])
})

test('sound outside the used part of a capture is left out', () => {
  const loud: [number, number][] = [[0, 30_000]]
  const [hanako] = heard([part({ startMs: 2_000, endMs: 4_000, offsetMs: 0 }, loud)], 2_000)
  expect(hanako?.speech).toEqual([{ fromMs: 0, toMs: 2_000 }])
  expect(hanako?.levels).toEqual([107, 107])
})

test('two tracks of one person are one activity', () => {
  const one = part({ startMs: 0, endMs: 4_000, offsetMs: 0 }, [[0, 1_000]])
  const other = part({ startMs: 0, endMs: 4_000, offsetMs: 0 }, [[500, 2_000]])
  const voices = other.voices.map((voice) => ({
    ...voice,
    audio: { ...voice.audio, track: 'TR_2' },
  }))
  const both = { ...one, voices: [...one.voices, ...voices] }
  expect(heard([both], 4_000).map(({ speech }) => speech)).toEqual([[{ fromMs: 0, toMs: 2_000 }]])
})

test('the sound of a shared screen is nobody speaking', () => {
  const one = part({ startMs: 0, endMs: 4_000, offsetMs: 0 }, [[0, 1_000]])
  const voices = one.voices.map((voice) => ({ ...voice, audio: { ...voice.audio, track: 'TR_3' } }))
  expect(heard([{ ...one, voices }], 4_000)).toEqual([])
})

test('a person is one, whatever connection they speak on', () => {
  const one = part({ startMs: 0, endMs: 4_000, offsetMs: 0 }, [[0, 1_000]])
  const other = part({ startMs: 0, endMs: 4_000, offsetMs: 4_000 }, [[0, 1_000]])
  const again = {
    ...other,
    voices: other.voices.map((voice) => ({ ...voice, participant: 'PA_2' })),
    events: other.events.map((event) => ({ ...event, participant: 'PA_2' })),
  }
  const found = heard([one, again], 8_000)
  expect(found.map(({ identity, speech }) => [identity, speech.length])).toEqual([['hanako', 2]])
})
