import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDb } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { TEST_TIMEOUTS } from '../../testing/database.ts'
import { addHandout } from '../../testing/handouts.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import {
  notifyOfEgress,
  postNotification,
  signNotification,
} from '../../testing/provider-notification.ts'
import { reconcilePass } from '../../testing/reconcile-pass.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { applyNotificationsJob } from '../notifications/apply-notifications.job.ts'
import { removeParticipantJob } from '../people/remove-participant.job.ts'
import { followRecordingJob } from '../recording/recordings/follow-recording.job.ts'
import { closeMediaRoomJob } from '../room-end/close-media-room.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const ROUNDS = 6
const VICTIMS = ROUNDS + 1
const RETURNING = 8
const personOf = (n: number) => ({ external_type: 'User', external_id: `comes-again-${n}` })
type Act = () => Promise<unknown>

/** Deadlocks in this file's database. PostgreSQL counts them once the sessions that met them have ended. */
async function countDeadlocks(): Promise<number> {
  const { url } = plane.database
  const own = openDb({ url, poolSize: 1, applicationName: 'counting', ...TEST_TIMEOUTS })
  try {
    await own`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name <> 'counting'
    `
    await waitFor(async () => {
      const others = await own`
        select 1 from pg_stat_activity
         where datname = current_database() and application_name <> 'counting'
      `
      return others.length === 0
    })
    const [row] = await own<{ deadlocks: bigint }[]>`
      select deadlocks from pg_stat_database where datname = current_database()
    `
    return Number(row?.deadlocks)
  } finally {
    await own.end()
  }
}

async function notify(event: string, roomId: string, participant: object): Promise<void> {
  const body = JSON.stringify({ id: randomUUID(), event, room: { name: roomId }, participant })
  expect(await postNotification(plane.app, body, await signNotification(plane.deps, body))).toBe(
    200,
  )
}

interface Scene {
  roomId: string
  sessionId: string
  handoutId: string
  moderator: Guest
  panelist: Guest
  observer: Guest
  victims: Guest[]
  /** People who keep entering again, each as the guest of the newest entry. */
  returning: Guest[]
}

const enterAgain = (roomId: string, n: number) =>
  live.enter(roomId, 'panelist', { participant: personOf(n) })

async function setScene(): Promise<Scene> {
  const { id: roomId, session } = await plane.book({ archiveMode: 'manual' })
  const victims: Guest[] = []
  for (let n = 0; n < VICTIMS; n += 1) victims.push(await rooms.come(roomId, 'panelist'))
  const returning: Guest[] = []
  for (let n = 0; n < RETURNING; n += 1) returning.push(await enterAgain(roomId, n))
  const { id: handoutId } = await addHandout(plane, session.id)
  return {
    roomId,
    sessionId: session.id,
    handoutId,
    moderator: await rooms.come(roomId, 'moderator'),
    panelist: await rooms.come(roomId, 'panelist'),
    observer: await rooms.come(roomId, 'observer'),
    victims,
    returning,
  }
}

const say = (guest: Guest, event_type: string) => () => guest.post('/events', { event_type })
const write = (guest: Guest, visibility: string) => () =>
  guest.post('/messages', { id: randomUUID(), visibility, content_type: 'text', text: 'x' })

/** Everything that people, the tenant, the provider and the jobs do in a room. */
function actsOf(scene: Scene, round: number): Act[] {
  const { roomId, sessionId, handoutId, moderator, panelist, observer, victims, returning } = scene
  const victim = victims[round] as Guest
  const other = victims[VICTIMS - 1] as Guest
  const quality = round % 2 === 0 ? 'good' : 'poor'
  const connection = { identity: other.participantId, sid: `PA_${round}`, joinedAt: '1780000000' }
  const word = ['start', 'pause', 'resume', 'stop', 'start', 'stop'][round] ?? 'stop'
  return [
    say(moderator, 'marker'),
    say(panelist, 'hand.raised'),
    say(panelist, 'hand.lowered'),
    say(panelist, 'consent.given'),
    say(other, round % 3 === 2 ? 'consent.withdrawn' : 'consent.given'),
    write(moderator, 'public'),
    write(observer, 'private'),
    ...[moderator, panelist, observer, victim, other].map(
      (guest) => () => guest.post('/line', { quality }),
    ),
    () => moderator.post(`/recording/${word}`),
    () => moderator.post(`/recording/${word}`),
    () => moderator.post(`/participants/${panelist.participantId}/mute`),
    () => moderator.post(`/participants/${victim.participantId}/ban`, { reason: 'x' }),
    () => moderator.post(`/handouts/${handoutId}/${round % 2 === 0 ? 'show' : 'hide'}`),
    // A new tab replaces the old one, whose page reports its connection quality at the same time.
    ...returning.flatMap((guest, n) => [
      () => guest.post('/line', { quality }),
      async () => (returning[n] = await enterAgain(roomId, n)),
    ]),
    () => enterAgain(roomId, RETURNING),
    () => enterAgain(roomId, RETURNING),
    () => live.enter(roomId, 'observer'),
    () => panelist.post('/connected', { media_sid: `PA_${round}` }),
    () => plane.tenant.delete(`/rooms/${roomId}/chat-messages`),
    () => plane.tenant.patch(`/sessions/${sessionId}`, { name: `round ${round}` }),
    () => notify('participant_joined', roomId, connection),
    () => notify('participant_left', roomId, connection),
    () => runJobs(plane.database.db, applyNotificationsJob(plane.deps)),
    () => runJobs(plane.database.db, removeParticipantJob(plane.deps)),
    () => rooms.run(reconcilePass(plane.deps)),
    () => rooms.run(followRecordingJob(plane.deps), roomId),
    async () => {
      const [egress] = rooms.egressesOf(roomId).slice(-1)
      if (egress === undefined) return
      const [startedAt, endedAt] = [plane.now, null]
      await notifyOfEgress(plane, { ...egress, status: 'active', startedAt, endedAt })
    },
  ]
}

/** A different order in each round. */
function shuffled(acts: readonly Act[], round: number): Act[] {
  return acts.toSorted((a, b) => rank(acts.indexOf(a), round) - rank(acts.indexOf(b), round))
}

const rank = (index: number, round: number) => (index * 7919 + round * 104_729) % 61

test('concurrent operations in a room never deadlock', async () => {
  const { db } = plane.database
  const scene = await setScene()
  const answers: unknown[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rooms.later(15_000)
    const acts = shuffled(actsOf(scene, round), round)
    answers.push(...(await Promise.all(acts.map((act) => act()))))
  }
  const last = shuffled(actsOf(scene, VICTIMS - 1), ROUNDS).map((act) => act().catch(() => {}))
  await Promise.all([...last, scene.moderator.post('/close')])
  await runJobs(db, closeMediaRoomJob(plane.deps))
  expect(await countDeadlocks()).toBe(0)
  const statuses = answers.flatMap((answer) => (answer as { status?: number } | undefined)?.status)
  expect(statuses.filter((status) => status !== undefined && status >= 500)).toEqual([])
})
