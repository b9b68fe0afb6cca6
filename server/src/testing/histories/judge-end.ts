import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '../wait-for.ts'
import { OF_ANSWERS } from './answers-invariants.ts'
import { ask } from './ask.ts'
import { listRecordedWith, listUnnamed, readFacts } from './facts.ts'
import { type Ended, type Told, violationsOf } from './judged.ts'
import type { Model } from './model.ts'
import { personId, type Player } from './player.ts'
import { OF_ROWS } from './rows-invariants.ts'

/** A history whose rooms are all closed. */
interface Judged {
  player: Player
  models: Model[]
  settleMs: number
}

/** Ten minutes after the close, a room is over. */
const OVER_SEC = 600

/** Erases a person with the recordings. At the end of the run no table may name them. */
export async function erase({ player, settleMs }: Judged, person: number): Promise<void> {
  const { world, tenantId } = player
  const externalId = personId(player, person)
  const body = { external_type: 'User', external_id: externalId, recordings: 'delete' }
  await ask(player, '/sandbox/clock', { method: 'POST', body: { advance_seconds: OVER_SEC } })
  const key = randomUUID()
  const { data } = await ask(player, '/data-subjects/erasures', { method: 'POST', body, key })
  let state = ''
  await waitFor(async () => {
    ;({ state } = (await ask(player, `/data-subjects/erasures/${data.id}`)).data)
    return state === 'done'
  }, settleMs).catch(() => {
    throw new Error(`the erasure is ${state}`)
  })
  // Jobs delete the objects.
  const left = async () => (await listUnnamed(world.db, keysOf(player))).length
  await waitFor(async () => (await left()) === 0, settleMs)
  const kept = await listRecordedWith(world.db, { tenantId, externalId })
  if (kept.length > 0) throw new Error(`the erasure left recordings: ${kept.join()}`)
  world.erased.push(externalId)
}

const LOOK_EVERY_MS = 150

/** Reads again until all invariants hold, or the time is over. Lists are read once the rows are right. */
export async function judgeEnd({ player, models, settleMs }: Judged): Promise<string[]> {
  const endMs = performance.now() + settleMs
  for (;;) {
    const facts = await readFacts(player.world.db, player.tenantId)
    const objects = await readObjects(player)
    const judged = (rules: Parameters<typeof violationsOf>[1], told = new Map<string, Told>()) =>
      models.map((model) => violationsOf({ player, model, facts, told, objects }, rules))
    let violations = fewest(judged(OF_ROWS))
    if (violations.length === 0) {
      violations = fewest(judged({ ...OF_ROWS, ...OF_ANSWERS }, await readAll(player)))
    }
    if (violations.length === 0 || performance.now() > endMs) return violations
    await delay(LOOK_EVERY_MS)
  }
}

function fewest(all: string[][]): string[] {
  return all.toSorted((one, other) => one.length - other.length)[0] ?? ['no model fits']
}

/** Keys of the tenant in the bucket. */
export function keysOf({ world: { s3 }, tenantId }: Player): string[] {
  return [...s3.objects.keys()].filter((key) => key.startsWith(tenantId))
}

async function readObjects(player: Player): Promise<Ended['objects']> {
  const all = keysOf(player)
  return { all, unnamed: await listUnnamed(player.world.db, all) }
}

const PAGE = 2

const LISTS = {
  participants: 'participants',
  entries: 'entry-histories',
  messages: 'chat-messages',
  recordings: 'recordings',
} as const

async function readAll(player: Player): Promise<Map<string, Told>> {
  const told = new Map<string, Told>()
  for (const { roomId } of player.rooms.values()) {
    const { data: room } = await ask(player, `/rooms/${roomId}`)
    const lists: Record<string, unknown> = { room, paged: {} }
    for (const [name, path] of Object.entries(LISTS)) {
      const all = await ask(player, `/rooms/${roomId}/${path}?limit=100`)
      lists[name] = all.data.items
      // A shorter list is one page.
      if (all.data.items.length <= PAGE) continue
      ;(lists['paged'] as Told['paged'])[name] = await readPages(player, `/rooms/${roomId}/${path}`)
    }
    told.set(roomId, lists as unknown as Told)
  }
  return told
}

async function readPages(player: Player, path: string): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { data } = await ask(player, `${path}?limit=${PAGE}${after}`)
    ids.push(...data.items.map(({ id }: { id: string }) => id))
    cursor = data.next_cursor
  }
  return ids
}
