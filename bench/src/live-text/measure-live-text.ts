import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { TicketBody } from '@interview-room/contract/live-entry.ts'
import {
  type ApiParticipant,
  enterByHand,
} from '@interview-room/e2e/src/harness/api-participant.ts'
import {
  freePort,
  type OwnService,
  removeDataDir,
  startService,
} from '@interview-room/e2e/src/harness/service.ts'
import { actAsTenant, type Tenant } from '@interview-room/e2e/src/harness/tenant.ts'
import { waitFor } from '@interview-room/e2e/src/harness/wait.ts'
import { machine } from '../machine.ts'
import { startMeasuredMediaServer } from '../measured-media-server.ts'
import { startNode } from '../node-process.ts'
import { childOf, cpuSecOf, rssMiBOf } from '../process-usage.ts'
import { round } from '../statistics.ts'
import { decodingCores } from './decoding.ts'
import { mistakesIn } from './said-numbers.ts'
import type { Speaker } from './speakers.ts'

const SPEAKERS = path.join(import.meta.dirname, 'speakers.ts')
const VENDOR = 'server/src/testing/live-vendors/counter-vendor.ts'
const LISTENER = 'listen.process'
const ROLES = ['moderator', 'panelist'] as const
const ENTER_MS = 600_000

/** People who speak at the same time, two in each room, and one process that listens to all of them. */
export async function measureLiveText(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rooms: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '60' },
    },
  })
  const seconds = Number(values.seconds)
  const alone = await decodingCores()
  const port = await freePort()
  const media = await startMeasuredMediaServer({ notifies: port })
  const vendor = await startNode({ command: [VENDOR], env: {}, logFile: '/dev/null' })
  const service = await startService({
    port,
    env: {
      ...media.settings,
      LIVE_TEXT_ENGINES: 'soniox',
      TRANSCRIPTION_SONIOX_KEY: 'none',
      LIVE_TEXT_SONIOX_URL: `ws://127.0.0.1:${vendor.firstLine}`,
    },
  })
  const speakers = fork(SPEAKERS)
  try {
    await service.admin(
      'tenants',
      'live-text',
      '--tenant',
      service.local.tenant_id,
      '--for',
      'staff',
    )
    const tenant = actAsTenant(service.local)
    const rooms: FilledRoom[] = []
    for (let at = 0; at < Number(values.rooms); at += 1) {
      const room = await fillRoom({ tenant, service, at })
      await tell(speakers, room.speakers)
      rooms.push(room)
      console.error(`inside: the people of ${rooms.length} rooms`)
    }
    const people = 2 * rooms.length
    const listener = await waitFor(() => childOf(service.pid, LISTENER), { what: 'a listener' })
    const pids = { listener, service: service.pid, media: media.pid }
    const muted = await usage(pids, seconds)
    speakers.send('speak')
    console.error('everybody speaks')
    await waitFor(async () => (await textsOf(rooms)).size === people, {
      what: 'everybody has live text',
      timeoutMs: ENTER_MS,
    })
    const speaking = await usage(pids, seconds)
    const texts = await textsOf(rooms)
    const decoding = (alone + (await decodingCores())) / 2
    report({ people, muted, speaking, texts, decoding, memoryMiB: rssMiBOf(listener) })
  } finally {
    speakers.disconnect()
    await service.stop()
    await vendor.stop()
    media.stop()
    removeDataDir(service.dataDir)
  }
}

interface FilledRoom {
  moderator: ApiParticipant
  speakers: Speaker[]
}

async function fillRoom({
  tenant,
  service,
  at,
}: {
  tenant: Tenant
  service: OwnService
  at: number
}): Promise<FilledRoom> {
  const { id: roomId } = await tenant.book({ room: { archive_mode: 'manual' } })
  const baseUrl = service.local.base_url
  const [moderator, panelist] = await Promise.all(
    ROLES.map((role) => enterByHand(tenant, { baseUrl, roomId, role, name: `${role} ${at}` })),
  )
  if (moderator === undefined || panelist === undefined) throw new Error('nobody has entered')
  for (const purpose of ['recording', 'transcription']) {
    await panelist.post('/events', { event_type: 'consent.given', payload: { purpose } })
  }
  const { media } = await panelist.post<TicketBody>('/ticket')
  const speakers = [moderator.media, media].map((each, index) => ({
    ...each,
    place: 2 * at + index,
  }))
  return { moderator, speakers }
}

async function tell(speakers: ChildProcess, people: readonly Speaker[]): Promise<void> {
  const ready = once(speakers, 'message', { signal: AbortSignal.timeout(ENTER_MS) })
  speakers.send(people)
  const [answer] = (await ready) as [string]
  if (answer !== 'ready') throw new Error(`nobody speaks: ${answer}`)
}

/** Everything that is stored of each person, by identity. */
async function textsOf(rooms: readonly FilledRoom[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const { moderator } of rooms) {
    let after = ''
    let hasMore = true
    while (hasMore) {
      const page = await moderator.get<{
        items: { identity: string; text: string }[]
        cursor: string
        has_more: boolean
      }>(`/transcript${after}`)
      for (const { identity, text } of page.items) {
        texts.set(identity, `${texts.get(identity) ?? ''} ${text}`)
      }
      after = `?after=${encodeURIComponent(page.cursor)}`
      hasMore = page.has_more
    }
  }
  return texts
}

type Pids = Record<'listener' | 'service' | 'media', number>

/** Cores of each process during this time. */
async function usage(pids: Pids, seconds: number): Promise<Pids> {
  const count = () => Object.values(pids).map((pid) => cpuSecOf(pid))
  const [before, startMs] = [count(), performance.now()]
  await delay(seconds * 1000)
  const [after, passedSec] = [count(), (performance.now() - startMs) / 1000]
  const cores = Object.keys(pids).map((name, at) => [
    name,
    ((after[at] ?? 0) - (before[at] ?? 0)) / passedSec,
  ])
  return Object.fromEntries(cores) as Pids
}

interface Measured {
  people: number
  muted: Pids
  speaking: Pids
  texts: ReadonlyMap<string, string>
  decoding: number
  memoryMiB: number
}

/** Prints a table for people, and one line of JSON. */
function report({ people, muted, speaking, texts, decoding, memoryMiB }: Measured): void {
  const each = {
    listener: speaking.listener / people,
    service: (speaking.service - muted.service) / people,
  }
  const mistakes = [...texts.values()].map((text) => mistakesIn(text))
  const heard = mistakes.reduce((sum, one) => sum + one.heard, 0)
  const wrong = mistakes.reduce((sum, one) => sum + one.wrong, 0)
  const perPerson = each.listener + each.service
  console.table({ muted, speaking })
  const figures = {
    people,
    coresPerPerson: round(perPerson),
    ofListener: round(each.listener),
    ofService: round(each.service),
    decodingAlone: round(decoding),
    toDecoding: round(perPerson / decoding, 2),
    listenerMiB: Math.round(memoryMiB),
    numbersHeard: heard,
    numbersWrong: wrong,
    peopleWithMistakes: mistakes.filter((one) => one.wrong > 0).length,
  }
  console.table(figures)
  console.log(JSON.stringify({ ...machine(), ...figures }))
}
