import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAbsences } from './absences.ts'
import { type CaptureEvent, encodeCaptureEvent, readCaptureEvents } from './capture-events.ts'
import { encodeRecord } from './rtp-log.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'absences-'))
})
afterAll(() => rm(folder, { recursive: true }))

const JOINED = {
  fact: 'joined',
  participant: 'PA_1',
  identity: 'one',
  name: 'One',
  atMs: 0,
} as const
const CAMERA = {
  fact: 'published',
  participant: 'PA_1',
  track: 'TR_1',
  role: 'camera',
  isMuted: false,
  atMs: 0,
} as const
const UNRECORDABLE = { fact: 'unrecordable', track: 'TR_1', codec: 'video/VP9', atMs: 100 } as const
const ABSENT = { fromMs: 100, identity: 'one', codec: 'video/VP9' }
const ENDS = [400, 1000]

async function absencesOf(events: readonly CaptureEvent[]) {
  const content = Buffer.concat(events.map((event) => encodeCaptureEvent(event)))
  await writeFile(path.join(folder, 'facts.jsonl'), content)
  return readAbsences(folder, ENDS)
}

describe('a track that was sent and not captured is absent', () => {
  test.each<[string, CaptureEvent[], object[]]>([
    ['until the end', [], [{ ...ABSENT, toMs: 1000 }]],
    [
      'until it came after all',
      [{ fact: 'recordable', track: 'TR_1', atMs: 300 }],
      [{ ...ABSENT, toMs: 300 }],
    ],
    [
      'until it was withdrawn',
      [
        { fact: 'unpublished', track: 'TR_1', atMs: 300 },
        { fact: 'left', participant: 'PA_1', atMs: 300 },
      ],
      [{ ...ABSENT, toMs: 300 }],
    ],
    ['until the capture was ended', [{ fact: 'stopped', atMs: 900 }], [{ ...ABSENT, toMs: 900 }]],
    [
      'except while it was switched off',
      [
        { fact: 'muted', track: 'TR_1', atMs: 300 },
        { fact: 'unmuted', track: 'TR_1', atMs: 500 },
      ],
      [
        { ...ABSENT, toMs: 300 },
        { ...ABSENT, fromMs: 500, toMs: 1000 },
      ],
    ],
    [
      'until its recorder was restarted, and again when that says so',
      [
        { fact: 'resumed', atMs: 600 },
        { ...JOINED, atMs: 600 },
        { ...CAMERA, atMs: 600 },
        { ...UNRECORDABLE, atMs: 700 },
      ],
      [
        { fromMs: 400, toMs: 600 },
        { ...ABSENT, toMs: 600 },
        { ...ABSENT, fromMs: 700, toMs: 1000 },
      ],
    ],
  ])('%s', async (_, events, expected) => {
    expect(await absencesOf([JOINED, CAMERA, UNRECORDABLE, ...events])).toEqual(expected)
  })
})

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
      { events: [{ fact: 'active', atMs: 10 }, ...LISTED], absences: [{ fromMs: 400, toMs: 800 }] },
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
        absences: [{ fromMs: 10, toMs: 300 }],
      },
    ],
    [
      'a track that is not captured is listed as such',
      [
        { fact: 'active', atMs: 10 },
        { ...SNAPSHOT, tracks: [{ ...track, codec: 'video/VP9' }], atMs: 800, afterMs: 500 },
      ],
      {
        events: [{ fact: 'active', atMs: 10 }, ...LISTED, { ...UNRECORDABLE, atMs: 800 }],
        absences: [
          { fromMs: 400, toMs: 800 },
          { ...ABSENT, fromMs: 800, toMs: 1000 },
        ],
      },
    ],
  ])('%s', async (_what, events, { events: read, absences }) => {
    expect(await absencesOf(events)).toEqual(absences)
    expect(await readCaptureEvents(path.join(folder, 'facts.jsonl'))).toEqual(read)
  })
})

/** Sound every 20 ms until then. Packets sent from 1000 on are read at 6000. */
function soundOf(...spans: readonly SentSpan[]): Buffer {
  return packetsOf(spans, 48)
}

type SentSpan = readonly [fromMs: number, toMs: number]

function packetsOf(spans: readonly SentSpan[], unitsPerMs: number): Buffer {
  const packets = spans.flatMap(([fromMs, toMs]) =>
    Array.from({ length: (toMs - fromMs) / 20 }, (_, i) => fromMs + i * 20),
  )
  return Buffer.concat(
    packets.map((sentMs) =>
      encodeRecord({
        kind: 'packet',
        atMs: sentMs >= 1000 && sentMs < 6000 ? 6000 : sentMs,
        ssrc: 1,
        sequenceNumber: (sentMs / 20) % 2 ** 16,
        // It goes round.
        timestamp: (sentMs * unitsPerMs + 0xffff_ffff - 60_000) % 2 ** 32,
        layer: 0,
        isLast: true,
        level: 30,
        payload: Buffer.of(0xfc),
      }),
    ),
  )
}

describe('a standstill of the process loses everything that the machine did not buffer', () => {
  const MICROPHONE = { ...CAMERA, track: 'TR_2', role: 'microphone' } as const
  const STOOD_STILL = { fact: 'stood_still', sinceMs: 1000, atMs: 6000 } as const

  test.each<[string, Buffer, object[]]>([
    ['the end of it', soundOf([20, 4000], [6000, 8000]), [{ fromMs: 3980, toMs: 6000 }]],
    [
      'all but what was sent again',
      soundOf([20, 4000], [5000, 8000]),
      [{ fromMs: 3980, toMs: 5000 }],
    ],
    ['the end of it, if nothing followed', soundOf([20, 3000]), [{ fromMs: 2980, toMs: 6000 }]],
    ['nothing', soundOf([20, 8000]), []],
    ['nothing, if nobody sent', soundOf([6000, 8000]), []],
  ])('%s', async (_, sound, expected) => {
    await writeFile(path.join(folder, 'TR_2.rtp'), sound)
    expect(await absencesOf([JOINED, CAMERA, MICROPHONE, STOOD_STILL])).toEqual(expected)
  })

  test('including speech, even if the pictures were sent again', async () => {
    await writeFile(path.join(folder, 'TR_2.rtp'), soundOf([20, 4000], [6000, 8000]))
    await writeFile(path.join(folder, 'TR_1.rtp'), packetsOf([[20, 8000]], 90))
    expect(await absencesOf([JOINED, CAMERA, MICROPHONE, STOOD_STILL])).toEqual([
      { fromMs: 3980, toMs: 6000 },
    ])
    await rm(path.join(folder, 'TR_1.rtp'))
  })
})

test('standstills with any number of packets around them can be judged', async () => {
  const endMs = 4_000_000
  await writeFile(path.join(folder, 'TR_2.rtp'), soundOf([20, endMs]))
  const microphone = { ...CAMERA, track: 'TR_2', role: 'microphone' } as const
  const stoodStill = { fact: 'stood_still', sinceMs: 1000, atMs: endMs - 1000 } as const
  expect(await absencesOf([JOINED, microphone, stoodStill])).toEqual([])
})

test('events of a later release are read over', async () => {
  const later = { fact: 'of-a-later-release', track: 'TR_1', atMs: 200 } as unknown as CaptureEvent
  expect(await absencesOf([JOINED, CAMERA, later])).toEqual([])
})
