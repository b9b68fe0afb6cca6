import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { encodeCaptureEvent } from '@interview-room/composer/capture/capture-events.ts'
import { EgressInfo } from '@livekit/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type StoredEgress, WorkFolder } from './work-folder.ts'

let work: WorkFolder

beforeEach(async () => {
  work = new WorkFolder(await mkdtemp(path.join(tmpdir(), 'work-')))
  await work.prepare()
})
afterEach(() => rm(work.root, { recursive: true }))

/** An egress of which something was captured. */
async function captured(egressId: string): Promise<StoredEgress> {
  const encoding = { frameRate: 15, videoKbps: 500, audioKbps: 64, keyFrameSec: 4 }
  const plan = { layout: 'grid', isFill: false, hasPicture: true, hasSound: true, encoding }
  const selection = { of: 'room' as const, hasPicture: true, hasSound: true }
  const output = { kind: 'file' as const, file: '/nowhere.mp4' }
  const stored = { info: new EgressInfo({ egressId }), job: { selection, plan, output } }
  await work.create(stored)
  await writeFile(eventsOf(stored), encodeCaptureEvent({ fact: 'active', atMs: 1 }))
  return stored
}

const eventsOf = (stored: StoredEgress) => path.join(work.firstFolderOf(stored), 'facts.jsonl')
const infoOf = ({ info }: StoredEgress) => path.join(work.folderOf(info.egressId), 'egress.json')

/** Reading it fails with EISDIR, as a bad disk fails with EIO: also for root. */
async function makeUnreadable(file: string): Promise<void> {
  await rm(file)
  await mkdir(file)
}

async function listed() {
  const onUnreadable = vi.fn<(egressId: string, error: unknown) => void>()
  const found = await work.listUnfinished(onUnreadable)
  const unreadable = onUnreadable.mock.calls.map(([egressId]) => egressId)
  return { found: found.map(({ info }) => info.egressId), unreadable }
}

describe('an unfinished egress', () => {
  test('that cannot be read now stays where it is, and keeps none of the others back', async () => {
    const stored = await captured('EG_unreadable')
    await captured('EG_other')
    await makeUnreadable(infoOf(stored))
    expect(await listed()).toEqual({ found: ['EG_other'], unreadable: ['EG_unreadable'] })
    expect((await stat(eventsOf(stored))).size).toBeGreaterThan(0)
  })

  test('of which nothing was saved is set aside with what was captured', async () => {
    await rm(infoOf(await captured('EG_absent')))
    await writeFile(infoOf(await captured('EG_broken')), '')
    expect(await listed()).toEqual({ found: [], unreadable: [] })
    const failed = path.join(work.root, 'failed')
    expect((await readdir(failed)).toSorted()).toEqual(['EG_absent', 'EG_broken'])
    expect(await readdir(path.join(failed, 'EG_broken/capture'))).toEqual(['facts.jsonl'])
  })

  test('has begun where its events say so, and not where they cannot be read', async () => {
    const stored = await captured('EG_1')
    expect(await work.eventsOf(stored)).toEqual([{ fact: 'active', atMs: 1 }])
    await makeUnreadable(eventsOf(stored))
    await expect(work.eventsOf(stored)).rejects.toThrow('EISDIR')
    await rm(eventsOf(stored), { recursive: true })
    expect(await work.eventsOf(stored)).toEqual([])
  })

  test('has no chunks where there are none, and not where they cannot be listed', async () => {
    const { info } = await captured('EG_1')
    expect(await work.listChunks(info.egressId)).toEqual([])
    await writeFile(path.join(work.folderOf(info.egressId), 'chunks'), 'no folder')
    await expect(work.listChunks(info.egressId)).rejects.toThrow('ENOTDIR')
  })
})
