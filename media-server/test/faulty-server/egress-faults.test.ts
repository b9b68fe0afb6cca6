import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  AccessToken,
  EgressClient,
  EgressStatus,
  EncodedFileOutput,
  RoomServiceClient,
} from 'livekit-server-sdk'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { MediaServer } from '../../src/server.ts'
import { connectRtcClient, type RtcClient } from '../support/rtc-client.ts'
import { startFaultyServer } from './faulty-server.ts'

const KEY = 'devkey'
const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const WAIT = { timeout: 60_000, interval: 20 }
const ROOM = 'room'
const TIMED_OUT = { code: 'deadline_exceeded', status: 408 }

let folder: string
let server: MediaServer
let egress: EgressClient
let alice: RtcClient

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'egress-faults-'))
  server = await startFaultyServer({
    host: '127.0.0.1',
    port: 0,
    apiKeys: { [KEY]: SECRET },
    egress: { folder: path.join(folder, 'work'), outputFolder: path.join(folder, 'files') },
  })
  egress = new EgressClient(server.url, KEY, SECRET)
  await new RoomServiceClient(server.url, KEY, SECRET).createRoom({ name: ROOM })
  const token = new AccessToken(KEY, SECRET, { identity: 'alice' })
  token.addGrant({ roomJoin: true, room: ROOM })
  alice = await connectRtcClient(server.url, await token.toJwt())
  await alice.publish()
})

afterAll(async () => {
  await alice?.leave()
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The next egress, which goes wrong like this. */
async function startWith(fault: object): Promise<string> {
  const token = new AccessToken(KEY, SECRET)
  token.addGrant({ roomRecord: true })
  await fetch(`${server.url}/faults`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await token.toJwt()}` },
    body: JSON.stringify({ egress: fault }),
  })
  const file = new EncodedFileOutput({ filepath: 'a.capture' })
  return (await egress.startRoomCompositeEgress(ROOM, file)).egressId
}

async function reached(egressId: string, status: keyof typeof EgressStatus) {
  return vi.waitFor(async () => {
    const [info] = await egress.listEgress({ egressId })
    expect(EgressStatus[info?.status ?? 0]).toBe(status)
    return info
  }, WAIT)
}

describe('as LiveKit Egress does it, an egress', () => {
  test('begins late, and names the moment of the request until its file begins', async () => {
    const egressId = await startWith({ next: 'begin_late', delayMs: 700 })
    const [starting] = await egress.listEgress({ egressId })
    expect(starting?.fileResults).toEqual([])
    const info = await reached(egressId, 'EGRESS_ACTIVE')
    const lateNs = (info?.fileResults[0]?.startedAt ?? 0n) - (info?.startedAt ?? 0n)
    expect(Number(lateNs / 1_000_000n)).toBeGreaterThanOrEqual(700)
    await egress.stopEgress(egressId)
    await reached(egressId, 'EGRESS_COMPLETE')
  })

  test('hears a stop only when it would begin, and has written nothing then', async () => {
    await rm(path.join(folder, 'files'), { recursive: true, force: true })
    const egressId = await startWith({ next: 'begin_late', delayMs: 700 })
    const stopped = await egress.stopEgress(egressId)
    expect(EgressStatus[stopped.status]).toBe('EGRESS_ABORTED')
    expect(stopped).toMatchObject({ error: 'Start signal not received', errorCode: 412 })
    expect(await readdir(path.join(folder, 'files')).catch(() => [])).toEqual([])
  })

  test('does not answer two calls, and obeys the third', async () => {
    const egressId = await startWith({ next: 'refuse_calls' })
    await reached(egressId, 'EGRESS_ACTIVE')
    await expect(egress.updateLayout(egressId, 'speaker')).rejects.toMatchObject(TIMED_OUT)
    await expect(egress.stopEgress(egressId)).rejects.toMatchObject(TIMED_OUT)
    await reached(egressId, 'EGRESS_ACTIVE')
    await egress.stopEgress(egressId)
    await reached(egressId, 'EGRESS_COMPLETE')
  })

  test('stays active when its worker has died, and answers no call', async () => {
    const egressId = await startWith({ next: 'stay_active', delayMs: 0 })
    await reached(egressId, 'EGRESS_ACTIVE')
    // Nothing but its silence shows that it is dead.
    const call = () => egress.updateLayout(egressId, 'grid')
    await vi.waitFor(() => expect(call()).rejects.toMatchObject(TIMED_OUT), WAIT)
    await expect(egress.stopEgress(egressId)).rejects.toMatchObject(TIMED_OUT)
    await reached(egressId, 'EGRESS_ACTIVE')
  })

  test('fails when its upload is refused', async () => {
    const egressId = await startWith({ next: 'refuse_upload' })
    await reached(egressId, 'EGRESS_ACTIVE')
    await egress.stopEgress(egressId)
    const info = await reached(egressId, 'EGRESS_FAILED')
    expect(info?.error).toMatch(/^S3 upload failed: /)
  })
})
