import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { RoomCompositeEgressRequest } from '@livekit/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { WebhookSender } from '../api/webhooks.ts'
import { silentLog } from '../lib/log.ts'
import type { CaptureSource } from './capture/capture-source.ts'
import { Egresses } from './egresses.ts'
import { readRequest } from './read-request.ts'

const EMPTY: CaptureSource = { participants: new Map(), watchers: new Set(), isFinished: false }
const ROOM = { sid: 'RM_1', name: 'room', enter: () => EMPTY }

async function recorderOf(recordingMax: number): Promise<Egresses> {
  const folder = await mkdtemp(path.join(tmpdir(), 'egresses-'))
  const egresses = new Egresses(
    { folder, outputFolder: folder, recordingMax, freeBytes: async () => Infinity },
    {
      rooms: { find: () => ROOM, markRecorded: () => {} },
      webhooks: new WebhookSender(undefined, silentLog),
      log: silentLog,
    },
  )
  onTestFinished(async () => {
    await egresses.close()
    await rm(folder, { recursive: true })
  })
  await egresses.recover()
  return egresses
}

test('requests of the same moment do not exceed what a recorder records at a time', async () => {
  const egresses = await recorderOf(2)
  const request = { case: 'roomComposite', value: new RoomCompositeEgressRequest() } as const
  const job = readRequest(request, { kind: 'file', file: '/nowhere.mp4' })
  const begin = () => egresses.start(ROOM, request, job)
  const outcomes = await Promise.allSettled([begin(), begin(), begin(), begin()])
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ])
  expect(egresses.recordingCount).toBe(2)
})
