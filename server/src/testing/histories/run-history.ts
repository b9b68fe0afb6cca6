import { takeSimulated } from '../../domain/notifications/take-notification.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { waitFor } from '../wait-for.ts'
import { type Answer, ask } from './ask.ts'
import {
  countUnapplied,
  countUnfinished,
  isResizing,
  listEntries,
  listRunning,
  takeLateNews,
} from './facts.ts'
import { makeFault, withCalm } from './faults.ts'
import { erase, judgeEnd, keysOf } from './judge-end.ts'
import type { Ended } from './judged.ts'
import { apply, heardBy, type Model, type Scene, sceneOf, roomOf, secondsOf } from './model.ts'
import { createPlayer, HIDDEN_NAME, personId, play, type Player } from './player.ts'
import type { Expected } from './room-model.ts'
import { type Act, allStepsOf, describeStep, type History, type Step } from './steps.ts'
import type { World } from './world.ts'

/** How a history went. */
export interface Outcome {
  /** The broken rules; empty if all held. */
  violations: string[]
  /** Kinds of the steps that were made, and of the faults. */
  made: string[]
  /** Requests that had to be repeated. */
  repeated: number
}

/** After this time, whatever has not come right is wrong. */
const SETTLE_MS = 240_000

/** Plays the history with a tenant of its own, and compares every answer and the end with the model. */
export async function runHistory(
  world: World,
  history: History,
  settleMs = SETTLE_MS,
): Promise<Outcome> {
  const startMs = Date.now()
  const player = await createPlayer(world)
  const run: Run = { player, models: [{ rooms: [] }], settleMs }
  const made: string[] = []
  const violations: string[] = []
  try {
    for (const [at, step] of allStepsOf(history).entries()) {
      const wasMade = await takeStep(run, step, String(at))
      if (wasMade) made.push(step.do === 'fault' ? step.fault : step.do)
    }
    await end(run)
    violations.push(...(await withCalm(() => judgeEnd(run))))
    const { erased } = history
    if (violations.length === 0 && erased !== null) await withCalm(() => erase(run, erased))
  } catch (error) {
    violations.push(String(error), ...player.problems, `after ${made.join(' ')}`)
  }
  world.inboxes.delete(player.tenantId)
  for (const key of keysOf(player)) world.s3.objects.delete(key)
  if (violations.length > 0) {
    const meanwhile = world.troubles.filter(({ toMs }) => toMs > startMs).map(({ fault }) => fault)
    if (meanwhile.length > 0) violations.push(`meanwhile: ${meanwhile.join(', ')}`)
  }
  return { violations, made, repeated: player.repeated }
}

interface Run {
  player: Player
  /** One, or several as long as nothing shows which of two acts came first. */
  models: Model[]
  settleMs: number
}

function modelOf({ models: [first] }: Run): Model {
  if (first === undefined) throw new Error('no model fits')
  return first
}

/** Returns false for a step that has no place here. */
async function takeStep(run: Run, step: Step, name: string): Promise<boolean> {
  const { player } = run
  if (step.do === 'fault') {
    await makeFault(player, step.fault)
    return true
  }
  const acts: readonly Act[] = step.do === 'together' ? step.acts : [step]
  const scenes = acts.flatMap((act, at) => sceneOf(modelOf(run), act, `${name}${'ab'[at]}`) ?? [])
  if (scenes.length < acts.length) return false
  await withCalm(async () => {
    await takeActs(run, scenes, describeStep(step))
    await settle(run, describeStep(step))
  })
  await releaseLateNews(player)
  return true
}

async function takeActs(run: Run, scenes: Scene[], title: string): Promise<void> {
  const beforeMs = Date.now()
  if (scenes[0]?.act.do === 'pass') return letTimePass(run, scenes[0])
  const answers = await Promise.all(scenes.map((scene) => play(run.player, scene)))
  const orders = ordersOf(scenes, answers)
  const wanted = new Set<string>()
  const fitting = run.models.flatMap((before) =>
    orders.flatMap((order) => {
      // Either time may have decided: that of the request, or that of the answer.
      for (const atMs of [beforeMs, Date.now()]) {
        const model = structuredClone(before)
        const expected = new Map(
          order.map(({ scene, isLost }) => {
            const answer = answers[scenes.indexOf(scene)] as Answer
            if (isLost) return [scene, apply(model, scene, atMs)]
            return [scene, expectedOf(model, scene, { answer, atMs })]
          }),
        )
        const inTurn = scenes.map((scene) => expected.get(scene) as Expected)
        if (inTurn.every((each, at) => fits(answers[at] as Answer, each))) return [model]
        wanted.add(inTurn.map(({ status, code = '' }) => `${status} ${code}`).join(' & '))
      }
      return []
    }),
  )
  if (fitting.length === 0) {
    const got = answers.map(({ status, text }) => `${status} ${text}`).join(' & ')
    throw new Error(`${title}: answered ${got}; expected ${[...wanted].join(' or ')}`)
  }
  run.models = fitting
  for (const [at, scene] of scenes.entries()) inspect(run, scene, answers[at] as Answer)
}

interface Turn {
  scene: Scene
  /** It was carried out and its answer was lost, so it was sent again. */
  isLost: boolean
}

/** Every order in which acts that were sent together may have been carried out. */
function ordersOf(scenes: readonly Scene[], answers: readonly Answer[]): Turn[][] {
  const inTurn = scenes.map((scene) => ({ scene, isLost: false }))
  if (scenes.length === 1) return [inTurn]
  const orders = [inTurn, inTurn.toReversed()]
  for (const [at, { attempts, status }] of answers.entries()) {
    const again = inTurn[at]
    if (again === undefined || attempts === 1 || status < 400) continue
    // The other act is the reason for the refusal.
    const others = inTurn.filter((turn) => turn !== again)
    orders.push([{ ...again, isLost: true }, ...others, again])
  }
  return orders
}

/** Acts whose requests carry a key: however often they are repeated, they are carried out once. */
const KEYED: readonly Act['do'][] = ['book', 'ban', 'purge', 'make', 'remove']

/** A request without a key that was repeated may get the answer to a repetition: an earlier one may have been carried out. */
function expectedOf(
  model: Model,
  scene: Scene,
  { answer, atMs }: { answer: Answer; atMs: number },
): Expected {
  const expected = apply(model, scene, atMs)
  const mayBeAgain = answer.attempts > 1 && !KEYED.includes(scene.act.do)
  if (!mayBeAgain || fits(answer, expected)) return expected
  return apply(model, scene, atMs)
}

function fits({ status, code }: Answer, expected: Expected): boolean {
  if (status === expected.status && (status < 300 || code === expected.code)) return true
  return expected.or !== undefined && fits({ status, code } as Answer, expected.or)
}

/** Looks into what a person reads in the room. */
function inspect(run: Run, { act, room: name }: Scene, answer: Answer): void {
  if (act.do !== 'read' || answer.status !== 200) return
  const { player } = run
  const items: { id: string; content_type: string }[] = answer.data.items
  const heard = items.filter((each) => each.content_type !== 'archive_status').map(({ id }) => id)
  const hasRole = (model: Model) => roomOf(model, name).visits[act.person]?.role ?? 'panelist'
  const isHeard = (model: Model) => {
    const names = heardBy(roomOf(model, name), hasRole(model))
    const wanted = new Set(names.map((each) => player.messages.get(each)))
    return wanted.size === heard.length && heard.every((id) => wanted.has(id))
  }
  const role = hasRole(modelOf(run))
  const fitting = run.models.filter(isHeard)
  if (fitting.length === 0) player.problems.push(`${role} reads ${heard.length} messages`)
  else run.models = fitting
  if (role === 'panelist' && answer.text.includes(HIDDEN_NAME)) {
    player.problems.push(`a respondent reads of an observer: ${answer.text}`)
  }
}

/** A file that is still made would miss its deadline when the clock jumps. */
async function filesAreThere({ player, settleMs }: Run): Promise<void> {
  const { world, tenantId } = player
  await waitFor(async () => (await countUnfinished(world.db, tenantId)) === 0, settleMs)
}

/** The clock has no key, so a repeated request may have moved it more than once. */
async function letTimePass(run: Run, scene: Scene): Promise<void> {
  if (scene.act.do !== 'pass') return
  const { player, models } = run
  const model = modelOf(run)
  await filesAreThere(run)
  const seconds = secondsOf(model, scene.act.minutes)
  const body = { advance_seconds: seconds }
  const { attempts } = await ask(player, '/sandbox/clock', { method: 'POST', body })
  const passed = () => models.forEach((each) => apply(each, scene, Date.now()))
  passed()
  if (attempts === 1) return
  const moved = model.rooms.find(({ isCancelled }) => !isCancelled)
  if (moved === undefined) return
  const { roomId } = player.rooms.get(moved.name) ?? { roomId: '' }
  const { data } = await ask(player, `/rooms/${roomId}`)
  const offMs = moved.startsAtMs - Date.parse(data.session.starts_at)
  for (let more = Math.round(offMs / (seconds * 1000)); more > 0; more -= 1) passed()
}

/** Waits until attendance and recordings are as the act has made them. */
async function settle(run: Run, title: string): Promise<void> {
  const { player, models, settleMs } = run
  const { db } = player.world
  let problem = 'a media room is made anew'
  const isSettled = async () => {
    const entries = await listEntries(db, player.tenantId)
    const running = await listRunning(db, player.tenantId)
    run.models = models.filter((model) => {
      const compared = { player, model }
      const wrong = [...wrongEntries(compared, entries), ...wrongRunning(compared, running)]
      if (wrong.length > 0) problem = wrong.join('; ')
      return wrong.length === 0
    })
    return run.models.length > 0 && !(await isResizing(db, player.tenantId))
  }
  await waitFor(isSettled, settleMs).catch(() => {
    throw new Error(`${title}: never came right: ${problem}`)
  })
}

type Compared = Pick<Ended, 'player' | 'model'>

function wrongEntries(
  { player, model }: Compared,
  entries: Awaited<ReturnType<typeof listEntries>>,
): string[] {
  return model.rooms.flatMap((room) => {
    const roomId = player.rooms.get(room.name)?.roomId
    const all = entries.filter((each) => each.roomId === roomId)
    const here = all
      .filter(({ leftMs }) => leftMs === null)
      .map((each) => `${each.personId} ${each.role}`)
    const wanted = room.entries
      .filter(({ isOpen }) => isOpen)
      .map(({ person, role }) => `${personId(player, person)} ${role}`)
    const isComplete = all.length === room.entries.length
    if (isComplete && String(here.toSorted()) === String(wanted.toSorted())) return []
    return [
      `${room.name} has ${here.join(', ')} inside instead of ${wanted.join(', ')}, ` +
        `and ${all.length} entries instead of ${room.entries.length}`,
    ]
  })
}

function wrongRunning(
  { player, model }: Compared,
  running: Awaited<ReturnType<typeof listRunning>>,
): string[] {
  return model.rooms.flatMap((room) => {
    const roomId = player.rooms.get(room.name)?.roomId
    const { status = 'none' } = running.find((each) => each.roomId === roomId) ?? {}
    // Nobody was there for a while, so it may have ended by itself.
    const mayHaveEnded = room.emptySinceMs !== undefined && status === 'none'
    if (status === room.recording || mayHaveEnded) return []
    return [`the recording of ${room.name} is ${status} instead of ${room.recording}`]
  })
}

async function releaseLateNews({ world: { db }, tenantId }: Player): Promise<void> {
  const late = await takeLateNews(db, tenantId)
  for (const body of late) await inTransaction(db, (tx) => takeSimulated(tx, body))
}

/** Closes every room, so that nothing goes on. */
async function end(run: Run): Promise<void> {
  await waitFor(async () => (await countUnapplied(run.player.world.db, run.player.tenantId)) === 0)
  for (const at of modelOf(run).rooms.keys()) {
    await takeStep(run, { do: 'close', room: at }, `end ${at}`)
  }
}
