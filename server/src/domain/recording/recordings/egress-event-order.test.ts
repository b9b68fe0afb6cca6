import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Egress, EgressStatus } from '../../../platform/ports/egress.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { notifyOfEgress } from '../../../testing/provider-notification.ts'
import { useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { webhooksOf } from '../../../testing/recordings.ts'
import { IS_FULL_RUN } from '../../../testing/scope.ts'
import { makeVideo } from '../../../testing/videos.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const RUNS = IS_FULL_RUN ? 10 : 3
const TIMEOUT_MS = 180_000

let folder: string
let video: Buffer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-order-'))
  const file = path.join(folder, 'segment.mp4')
  await makeVideo(file, { durationSec: 1 })
  video = await readFile(file)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The delivery of a history's events. */
interface DeliveryPlan {
  /** For each notification the number of steps until it arrives: not at all, once, or twice. */
  delays: number[][]
  /** For each step: the provider's list is read after it. */
  looks: boolean[]
  /** For each step: the notifications that arrive then come in reverse order. */
  reversals: boolean[]
}

const STEPS_MAX = 8
const NOTIFICATIONS_MAX = 10
const booleans = fc.array(fc.boolean(), { minLength: STEPS_MAX, maxLength: STEPS_MAX })
const deliveryPlan: fc.Arbitrary<DeliveryPlan> = fc.record({
  delays: fc.array(fc.array(fc.nat({ max: 4 }), { maxLength: 2 }), {
    minLength: NOTIFICATIONS_MAX,
    maxLength: NOTIFICATIONS_MAX,
  }),
  looks: booleans,
  reversals: booleans,
})

/** An event of the last egress at the provider, or a moderator's command. */
type Step = EgressStatus | 'file' | 'cut' | 'pause' | 'resume' | 'stop' | 'look'

function moveOf(step: Step): Partial<Egress> | undefined {
  const file = { sizeBytes: video.length, durationSec: 1 }
  if (step === 'active') return { status: 'active', startedAt: plane.now }
  if (step === 'file') return { status: 'complete', file, endedAt: plane.now }
  if (step === 'cut') return { status: 'limit_reached', file, endedAt: plane.now }
  const isCommand = step === 'pause' || step === 'resume' || step === 'stop' || step === 'look'
  return isCommand ? undefined : { status: step }
}

async function play(steps: readonly Step[], { delays, looks, reversals }: DeliveryPlan) {
  // Tokens are signed for this moment.
  plane.now = new Date()
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  await moderator.post('/recording/start')
  const arriving: { egress: Egress; atStep: number }[] = []
  let sent = 0
  const send = (egress: Egress, step: number) => {
    for (const delay of delays[sent] ?? []) arriving.push({ egress, atStep: step + delay })
    sent += 1
  }
  const arrive = async (step: number) => {
    const due = arriving.filter(({ atStep }) => atStep === step)
    if (reversals[step] === true) due.reverse()
    for (const { egress } of due) await notifyOfEgress(plane, egress)
  }
  send(rooms.lastEgressOf(roomId), 0)
  await arrive(0)
  for (const [index, step] of steps.entries()) {
    const egress = rooms.lastEgressOf(roomId)
    const move = moveOf(step)
    if (move === undefined && step !== 'look') await moderator.post(`/recording/${step}`)
    if (move !== undefined) {
      plane.media.moveEgress(egress.egressId, move)
      const key = String(egress.outputPath).split('/').slice(-3).join('/')
      if (move.file) plane.storage.objects.set(key, { body: video, mime: 'video/mp4' })
    }
    const after = rooms.lastEgressOf(roomId)
    if (after.status !== egress.status || after.egressId !== egress.egressId) send(after, index + 1)
    await arrive(index + 1)
    if (step === 'look' || looks[index] === true) await rooms.settle()
  }
  for (let late = 1; late <= 4; late += 1) await arrive(steps.length + late)
  await rooms.settle()
  return roomId
}

const FINISHED = ['stopped', 'uploaded', 'available']
interface History {
  what: string
  steps: Step[]
  /** Statuses published by W3, in order. */
  published: string[]
  /** Events in the room's log. */
  noted: string[]
  reason?: string
}

const HISTORIES: History[] = [
  {
    what: 'is complete',
    steps: ['active', 'stop', 'ending', 'file'],
    published: ['started', ...FINISHED],
    noted: ['started', 'stopped'],
  },
  {
    what: 'failed',
    steps: ['active', 'failed'],
    published: ['started', 'failed'],
    noted: ['started', 'failed'],
    reason: 'provider_failed',
  },
  {
    what: 'was aborted twice before it began',
    steps: ['aborted', 'look', 'aborted'],
    published: ['started', 'failed'],
    noted: ['started', 'failed'],
    reason: 'provider_aborted',
  },
  {
    what: 'was aborted once before it began',
    steps: ['aborted', 'look', 'active', 'stop', 'ending', 'file'],
    published: ['started', ...FINISHED],
    noted: ['started', 'stopped'],
  },
  {
    what: 'was cut at a limit',
    steps: ['active', 'ending', 'cut'],
    published: ['started', ...FINISHED],
    noted: ['started', 'stopped', 'limit_reached'],
  },
  {
    what: 'reached a limit without a file',
    steps: ['active', 'ending', 'limit_reached'],
    published: ['started', 'stopped', 'failed'],
    noted: ['started', 'stopped', 'failed'],
    reason: 'provider_failed',
  },
  {
    what: 'was paused',
    steps: ['active', 'pause', 'file', 'resume', 'active', 'stop', 'ending', 'file'],
    published: ['started', 'paused', 'started', ...FINISHED],
    noted: ['started', 'paused', 'resumed', 'stopped'],
  },
  {
    what: 'was paused, and failed then',
    steps: ['active', 'pause', 'file', 'resume', 'active', 'failed'],
    published: ['started', 'paused', 'started', ...FINISHED],
    noted: ['started', 'paused', 'resumed', 'failed', 'stopped'],
  },
]

/** Nobody knows that it stopped before it failed if its ENDING was never reported. */
function possible(published: string[]): string[][] {
  const hasFailed = published.at(-1) === 'failed'
  return hasFailed ? [published, published.filter((each) => each !== 'stopped')] : [published]
}

describe('if notifications are lost, repeated, late or out of order', () => {
  test.each(HISTORIES)(
    'a recording that $what ends in the same state, each status published once and in order',
    async ({ steps, published, noted, reason }) => {
      const property = fc.asyncProperty(deliveryPlan, async (how) => {
        const roomId = await play(steps, how)
        const { id, status } = await rooms.recordingOf(roomId)
        expect(possible(published)).toContainEqual(await rooms.statusesOf(id))
        expect(status).toBe(published.at(-1))
        const last = (await webhooksOf(plane, `recording:${id}`)).at(-1)
        expect(last?.data['failure_reason']).toBe(reason ?? null)
        const events = (await rooms.roomEventsOf(roomId)).map((each) =>
          each.replace('recording.', ''),
        )
        expect(possible(noted).map((each) => each.toSorted())).toContainEqual(events.toSorted())
        // Later runs would otherwise reconcile this room, too.
        await plane.tenant.post(`/rooms/${roomId}/close`)
      })
      await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
    },
    TIMEOUT_MS,
  )
})
