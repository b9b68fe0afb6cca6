import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAbsences } from './absences.ts'
import { type CaptureEvent, encodeCaptureEvent } from './capture-events.ts'

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

test('events of a later release are read over', async () => {
  const later = { fact: 'of-a-later-release', track: 'TR_1', atMs: 200 } as unknown as CaptureEvent
  expect(await absencesOf([JOINED, CAMERA, later])).toEqual([])
})
