import type { Rate } from '../load.ts'
import { bareOperations } from './bare-operations.ts'
import { openBareDb } from './open-bare-operations.ts'
import { newRoom, type Operation } from './operations.ts'
import { pickSeed, seedId, seedRef } from './seeds.ts'

/** `drive-sql.ts <operation> <connections> <seconds> <key id>` repeats the operation's SQL and prints a Rate. */
const [name, connections, seconds, keyId = ''] = process.argv.slice(2)
const { db, tenantId } = openBareDb(process.env)
const provide = async () => ({ sid: 'RM_bench' })
const bare = bareOperations({ db, provide }, tenantId)
const WORK: Record<Operation['name'], () => Promise<unknown>> = {
  'create room': () => bare.createRoom(newRoom()),
  'get room': () => bare.getRoom(seedId(pickSeed())),
  'list sessions': () => bare.listSessions(seedRef(pickSeed())),
  'wrong key': () => bare.findKey(keyId),
}
const work = WORK[name as Operation['name']]

let count = 0
await Promise.all(Array.from({ length: Number(connections) }, () => work()))
const cpuBefore = process.cpuUsage()
const start = performance.now()
const end = start + Number(seconds) * 1000
await Promise.all(Array.from({ length: Number(connections) }, () => repeat()))
const { user, system } = process.cpuUsage(cpuBefore)
const rate: Rate = {
  perSec: (count * 1000) / (performance.now() - start),
  cpuMs: (user + system) / 1000 / count,
}
await db.end()
console.log(JSON.stringify(rate))

async function repeat(): Promise<void> {
  while (performance.now() < end) {
    await work()
    count += 1
  }
}
