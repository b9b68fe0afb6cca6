import { setTimeout as delay } from 'node:timers/promises'
import { raw } from '../../platform/db/db.ts'
import { planNewsFault } from './facts.ts'
import type { Player } from './player.ts'
import type { Fault, OwnFault, SharedFault } from './steps.ts'
import { OWN_FAULTS } from './steps.ts'
import type { Place, World } from './world.ts'

/** How long a fault lasts. */
const LASTS_MS = 1_200

let last: Promise<void> = Promise.resolve()

/** Makes the fault, and mends it. Shared ones wait for each other. */
export async function makeFault(player: Player, fault: Fault): Promise<void> {
  if (isOwn(fault)) return makeOwn(player, fault)
  const { world } = player
  const making = last.then(async () => {
    const trouble = { fault, fromMs: Date.now(), toMs: Infinity }
    world.troubles.push(trouble)
    await SHARED[fault](world).finally(() => {
      trouble.toMs = Date.now()
    })
  })
  last = making.catch(() => {})
  return making
}

/** A history that has not come right by then gets a time without faults: retries pause for longer each time. */
const CALM_AFTER_MS = 30_000

/** Waits for a result that faults may delay. If it is late, no shared fault begins until it is there. */
export async function withCalm<T>(wait: () => Promise<T>): Promise<T> {
  const calm = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    last = last.then(() => calm.promise)
  }, CALM_AFTER_MS)
  try {
    return await wait()
  } finally {
    clearTimeout(timer)
    calm.resolve()
  }
}

const isOwn = (fault: Fault): fault is OwnFault => OWN_FAULTS.some((each) => each === fault)

async function makeOwn(player: Player, fault: OwnFault): Promise<void> {
  if (fault === 'receiver refuses') player.inbox.refusing += 1
  else await planNewsFault(player.world.db, player.tenantId, fault)
}

let strikes = 0

/** Each process of the role in turn. */
function victimOf({ places }: World, role: Place['role']): Place {
  const victims = places.filter((place) => place.role === role)
  strikes += 1
  const victim = victims[strikes % victims.length]
  if (victim === undefined) throw new Error(`no ${role}`)
  return victim
}

async function freeze({ process: { freeze, thaw } }: Place): Promise<void> {
  freeze()
  await delay(LASTS_MS)
  thaw()
}

async function change({ db }: World, setting: string): Promise<void> {
  await db`${raw(`alter system ${setting}`)}`
  await db`select pg_reload_conf()`
}

async function strikeStorage(
  { s3 }: World,
  fault: { status: number; code: string },
): Promise<void> {
  s3.fault = () => fault
  await delay(LASTS_MS)
  s3.fault = undefined
}

const SHARED: Record<SharedFault, (world: World) => Promise<void>> = {
  'kill an api process': (world) => world.restart(victimOf(world, 'api')),
  'kill a worker': (world) => world.restart(victimOf(world, 'worker')),
  'freeze an api process': (world) => freeze(victimOf(world, 'api')),
  'freeze a worker': (world) => freeze(victimOf(world, 'worker')),
  async 'database away'({ way }) {
    await way.refuse()
    await delay(LASTS_MS)
    await way.mend()
  },
  async 'database silent'({ way }) {
    way.hang()
    await delay(LASTS_MS)
    await way.mend()
  },
  async 'database only reads'(world) {
    await change(world, 'set default_transaction_read_only = on')
    await delay(LASTS_MS)
    await change(world, 'reset default_transaction_read_only')
  },
  async switchover({ way, servers }) {
    way.leadTo(servers.standbyUrl)
    way.cut()
    await delay(LASTS_MS)
    way.leadTo(servers.primaryUrl)
  },
  'storage away': (world) => strikeStorage(world, { status: 503, code: 'SlowDown' }),
  'storage with wrong bytes': (world) => strikeStorage(world, { status: 200, code: 'Strange' }),
}
