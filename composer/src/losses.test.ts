import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { BEGAN_AT, type SampleTrack, writeCapture } from '../test/captured-people.ts'
import {
  type CaptureEvent,
  encodeCaptureEvent,
  readCaptureEvents,
} from './capture/capture-events.ts'
import { type Losses, lossesOf } from './losses.ts'
import { readMaterials } from './read-material.ts'

let parent: string | undefined
let folder: string
beforeEach(async () => {
  parent ??= await mkdtemp(path.join(tmpdir(), 'losses-'))
  folder = await mkdtemp(path.join(parent, 'capture-'))
})
afterAll(() => parent && rm(parent, { recursive: true }))

async function lossesIn(captureFolder: string): Promise<Losses> {
  const [material] = await readMaterials([captureFolder], path.join(captureFolder, 'scratch'))
  if (material === undefined) throw new Error('nothing was read')
  return lossesOf(material)
}

interface Told {
  fromMs: number
  toMs: number
}

const round = (ms: number) => Math.round((ms - BEGAN_AT) / 100) * 100

/** Times from the beginning of the capture, to a tenth of a second: packets come every 20 or 100 ms. */
function told<T extends Told>(spans: readonly T[]): (T & Told)[] {
  return spans
    .map((span) => ({ ...span, fromMs: round(span.fromMs), toMs: round(span.toMs) }))
    .toSorted((a, b) => a.fromMs - b.fromMs || a.toMs - b.toMs)
}

const LENGTH_MS = 20_000
const ALL = [[0, LENGTH_MS]] as const

/** The losses of a capture of twenty seconds in which Alice has these tracks, and Bob speaks all the time. */
async function lossesOfAlice(
  tracks: readonly SampleTrack[],
  { events = [], bob = ALL }: { events?: CaptureEvent[]; bob?: SampleTrack['sent'] } = {},
) {
  await writeCapture(folder, {
    lengthMs: LENGTH_MS,
    events,
    people: [
      { name: 'alice', tracks },
      { name: 'bob', tracks: [{ role: 'microphone', sent: bob }] },
    ],
  })
  const { absences, empty, dark } = await lossesIn(folder)
  return {
    absences: told(absences),
    empty: told(empty),
    dark: told(dark.get('alice-camera') ?? []),
  }
}

const MUTED = { fact: 'muted', track: 'alice-camera', atMs: 5000 } as const
const UNMUTED = { fact: 'unmuted', track: 'alice-camera', atMs: 15_000 } as const
const cut = (fromMs: number, toMs: number) => [[0, fromMs] as const, [toMs, LENGTH_MS] as const]
const ALICE = { identity: 'alice', reason: 'no_media' }

describe('a track lacks the time in which nothing came of it', () => {
  test.each<[string, SampleTrack, object[], CaptureEvent[]]>([
    ['none, if it was sent all the time', { role: 'camera', sent: ALL }, [], []],
    [
      'in the middle',
      { role: 'camera', sent: cut(4000, 12_000) },
      [{ ...ALICE, fromMs: 3900, toMs: 12_000 }],
      [],
    ],
    [
      'at the end',
      { role: 'microphone', sent: [[0, 12_000]] },
      [{ ...ALICE, fromMs: 12_000, toMs: LENGTH_MS }],
      [],
    ],
    [
      'from its publication on',
      { role: 'microphone', sent: [[9000, LENGTH_MS]], publishedMs: 3000 },
      [{ ...ALICE, fromMs: 3000, toMs: 9000 }],
      [],
    ],
    ['not while it is muted', { role: 'camera', sent: cut(5000, 15_000) }, [], [MUTED, UNMUTED]],
    [
      'after it is unmuted',
      { role: 'camera', sent: [[0, 5000]] },
      [{ ...ALICE, fromMs: 15_000, toMs: LENGTH_MS }],
      [MUTED, UNMUTED],
    ],
    [
      'not after it is unpublished',
      { role: 'camera', sent: [[0, 5000]] },
      [],
      [{ fact: 'unpublished', track: 'alice-camera', atMs: 5000 }],
    ],
    [
      'not while a shared screen does not change',
      { role: 'screen', sent: cut(1000, 19_000) },
      [],
      [],
    ],
    [
      'before the first picture of a shared screen',
      { role: 'screen', sent: [[6000, 6100]] },
      [{ ...ALICE, fromMs: 0, toMs: 6000 }],
      [],
    ],
    [
      'if it never came',
      { role: 'camera', sent: [] },
      [{ ...ALICE, fromMs: 0, toMs: LENGTH_MS }],
      [],
    ],
    [
      'all of it if it is encrypted, which is said',
      { role: 'camera', sent: [], isEncrypted: true },
      [{ fromMs: 0, toMs: LENGTH_MS, identity: 'alice', reason: 'encrypted' }],
      [],
    ],
    [
      'not while the recorder was away, which is said of everybody',
      { role: 'camera', sent: cut(4000, 12_000) },
      [
        { ...ALICE, reason: 'away', fromMs: 3900, toMs: 12_000 },
        { reason: 'away', fromMs: 5000, toMs: 11_000 },
      ],
      [{ fact: 'missed', sinceMs: 5000, atMs: 11_000 }],
    ],
  ])('%s', async (_what, track, absences, events) => {
    expect((await lossesOfAlice([track], { events })).absences).toEqual(absences)
  })
})

describe('a codec that is not captured', () => {
  const VP9 = {
    fact: 'unrecordable',
    track: 'alice-camera',
    codec: 'video/VP9',
    atMs: 500,
  } as const
  const ABSENT = { fromMs: 500, identity: 'alice', reason: 'codec_unsupported', codec: 'video/VP9' }
  test.each<[string, CaptureEvent[], object[], SampleTrack['sent']]>([
    ['is missing until the end', [], [{ ...ABSENT, toMs: LENGTH_MS }], []],
    [
      'is missing until another one came',
      [{ fact: 'recordable', track: 'alice-camera', atMs: 3000 }],
      [{ ...ABSENT, toMs: 3000 }],
      [[3000, LENGTH_MS]],
    ],
    [
      'is missing until it was withdrawn',
      [{ fact: 'unpublished', track: 'alice-camera', atMs: 3000 }],
      [{ ...ABSENT, toMs: 3000 }],
      [],
    ],
    [
      'is not missing while it is muted',
      [MUTED, UNMUTED],
      [
        { ...ABSENT, toMs: 5000 },
        { ...ABSENT, fromMs: 15_000, toMs: LENGTH_MS },
      ],
      [],
    ],
  ])('%s', async (_what, events, expected, sent) => {
    const { absences } = await lossesOfAlice([{ role: 'camera', sent }], {
      events: [VP9, ...events],
    })
    expect(absences).toEqual(expected)
  })
})

describe('a gap in the picture', () => {
  test('is empty while nothing comes of anybody, and dark where one camera does not come', async () => {
    const camera = { role: 'camera', sent: cut(4000, 12_000) } as const
    expect(await lossesOfAlice([camera], { bob: cut(7000, 12_000) })).toMatchObject({
      empty: [{ fromMs: 7000, toMs: 12_000 }],
      dark: [{ fromMs: 3900, toMs: 12_000 }],
    })
  })

  test('is there while the recorder is away from people who are all muted', async () => {
    const events: CaptureEvent[] = [
      { ...MUTED, atMs: 100 },
      { fact: 'unpublished', track: 'bob-microphone', atMs: 1000 },
      { fact: 'missed', sinceMs: 5000, atMs: 8000 },
    ]
    const { empty } = await lossesOfAlice([{ role: 'camera', sent: [] }], {
      events,
      bob: [[0, 1000]],
    })
    expect(empty).toEqual([{ fromMs: 5000, toMs: 8000 }])
  })

  test('is not there for less than two seconds', async () => {
    const camera = { role: 'camera', sent: cut(4000, 5500) } as const
    const { empty, dark, absences } = await lossesOfAlice([camera], { bob: cut(4000, 5500) })
    expect({ empty, dark }).toEqual({ empty: [], dark: [] })
    expect(absences).toHaveLength(2)
  })
})

describe('a standstill of the process', () => {
  const STOOD_STILL = { fact: 'stood_still', sinceMs: 4000, atMs: 9000 } as const

  test('loses what the machine did not buffer', async () => {
    const sent = [
      [0, 7000],
      [9000, LENGTH_MS],
    ] as const
    const microphone = { role: 'microphone', sent, heldBack: [4000, 9000] } as const
    const { absences } = await lossesOfAlice([microphone], { events: [STOOD_STILL] })
    expect(absences).toEqual([{ ...ALICE, reason: 'away', fromMs: 7000, toMs: 9000 }])
  })

  test('loses nothing that arrives late', async () => {
    const microphone = { role: 'microphone', sent: ALL, heldBack: [4000, 9000] } as const
    expect((await lossesOfAlice([microphone], { events: [STOOD_STILL] })).absences).toEqual([])
  })
})

test('the announced tracks have the times of their publication', async () => {
  const tracks = [{ role: 'camera', sent: [[3000, 9000]], publishedMs: 3000 }] as const
  const events: CaptureEvent[] = [
    { fact: 'unpublished', track: 'alice-camera', atMs: 9000 },
    // An event of a later release.
    { fact: 'waved', atMs: 9500 } as unknown as CaptureEvent,
  ]
  await writeCapture(folder, { lengthMs: LENGTH_MS, people: [{ name: 'alice', tracks }], events })
  expect((await lossesIn(folder)).tracks).toEqual([
    {
      track: 'alice-camera',
      participant: 'PA_alice',
      publishedMs: BEGAN_AT + 3000,
      unpublishedMs: BEGAN_AT + 9000,
    },
  ])
})

test('a process that resumes a capture was away since the last packet of the one before', async () => {
  const people = [
    { name: 'alice', tracks: [{ role: 'microphone', sent: cut(6000, 9000) }] },
  ] as const
  const events: CaptureEvent[] = [
    { fact: 'resumed', atMs: 8500 },
    { fact: 'joined', atMs: 8500, participant: 'PA_alice', identity: 'alice', name: 'alice' },
    {
      fact: 'published',
      atMs: 8500,
      participant: 'PA_alice',
      track: 'alice-microphone',
      role: 'microphone',
      isMuted: false,
    },
  ]
  await writeCapture(folder, { lengthMs: LENGTH_MS, people, events })
  const { absences, tracks } = await lossesIn(folder)
  expect(told(absences)).toEqual([
    { fromMs: 6000, toMs: 8500, reason: 'away' },
    { fromMs: 6000, toMs: 9000, reason: 'away', identity: 'alice' },
  ])
  expect(tracks).toMatchObject([{ publishedMs: BEGAN_AT, unpublishedMs: null }])
})

const CAMERA = {
  fact: 'published',
  participant: 'PA_1',
  track: 'TR_1',
  role: 'camera',
  isMuted: true,
  atMs: 0,
} as const
const UNRECORDABLE = { fact: 'unrecordable', track: 'TR_1', codec: 'video/VP9', atMs: 800 } as const

describe('when the storage has lost events before a snapshot', () => {
  const PERSON = { participant: 'PA_1', identity: 'one', name: 'One' }
  const { atMs: _, fact: __, ...track } = CAMERA
  const SNAPSHOT = { fact: 'snapshot', activeMs: 10, people: [PERSON], tracks: [track] } as const
  const LISTED = [
    { fact: 'resumed', atMs: 800 },
    { ...PERSON, fact: 'joined', atMs: 800 },
    { ...CAMERA, atMs: 800 },
  ]

  test.each<[string, CaptureEvent[], { events: object[]; absences: object[] }]>([
    [
      'nothing is resumed by one that follows the event before it',
      [
        { fact: 'active', atMs: 10 },
        { ...SNAPSHOT, atMs: 500, afterMs: 10 },
        { ...SNAPSHOT, atMs: 800, afterMs: 500 },
      ],
      { events: [{ fact: 'active', atMs: 10 }], absences: [] },
    ],
    [
      'the capture is resumed by it',
      [
        { fact: 'active', atMs: 10 },
        { ...SNAPSHOT, atMs: 800, afterMs: 500 },
      ],
      {
        events: [{ fact: 'active', atMs: 10 }, ...LISTED],
        absences: [{ fromMs: 10, toMs: 800, reason: 'away' }],
      },
    ],
    [
      'its beginning is known from it',
      [
        { ...SNAPSHOT, atMs: 300, afterMs: 200 },
        { fact: 'left', participant: 'PA_1', atMs: 350 },
      ],
      {
        events: [
          { fact: 'active', atMs: 10 },
          ...LISTED.map((event) => ({ ...event, atMs: 300 })),
          { fact: 'left', participant: 'PA_1', atMs: 350 },
        ],
        absences: [{ fromMs: 10, toMs: 300, reason: 'away' }],
      },
    ],
    [
      'a track that is not captured is listed as such',
      [
        { fact: 'active', atMs: 10 },
        { ...SNAPSHOT, tracks: [{ ...track, codec: 'video/VP9' }], atMs: 800, afterMs: 500 },
      ],
      {
        events: [{ fact: 'active', atMs: 10 }, ...LISTED, UNRECORDABLE],
        absences: [{ fromMs: 10, toMs: 800, reason: 'away' }],
      },
    ],
  ])('%s', async (_what, events, { events: read, absences }) => {
    const content = Buffer.concat(events.map(encodeCaptureEvent))
    await writeFile(path.join(folder, 'facts.jsonl'), content)
    expect((await lossesIn(folder)).absences).toEqual(absences)
    expect(await readCaptureEvents(path.join(folder, 'facts.jsonl'))).toEqual(read)
  })
})
