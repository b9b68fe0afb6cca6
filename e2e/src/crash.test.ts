import { afterAll, describe, expect, test } from 'vitest'
import {
  freePort,
  makeDataDir,
  removeDataDir,
  type Service,
  startService,
} from './harness/service.ts'
import { actAsTenant } from './harness/tenant.ts'

/** Rounds: twenty in the long run. */
const CRASHES = Number(process.env['CRASHES'] ?? 1)
const BOOKINGS_AT_ONCE = 4

const services: Service[] = []
let dataDir: string | undefined

afterAll(async () => {
  await services.at(-1)?.stop()
  if (dataDir !== undefined) removeDataDir(dataDir)
})

describe('kill -9 in the middle of bookings', () => {
  test('loses no booking that was answered, and the next start accepts requests', async () => {
    dataDir = await makeDataDir()
    const port = await freePort()
    const answered: string[] = []

    for (let crash = 0; crash < CRASHES; crash += 1) {
      const service = await startService({ dataDir, port })
      services.push(service)
      const tenant = actAsTenant(service.local)
      const until = answered.length + 5
      const bookings = Array.from({ length: BOOKINGS_AT_ONCE }, async () => {
        for (;;) {
          try {
            answered.push((await tenant.book()).id)
          } catch {
            return
          }
          if (answered.length === until + crash) await service.kill()
        }
      })
      await Promise.all(bookings)
    }

    const service = await startService({ dataDir, port })
    services.push(service)
    const tenant = actAsTenant(service.local)
    expect(answered.length).toBeGreaterThanOrEqual(CRASHES * 5)
    for (const id of answered) {
      const room = await tenant.room(id)
      expect(room).toMatchObject({ id, status: 'open', session: { status: 'active' } })
    }
    const token = await tenant.signToken({ roomId: answered[0] ?? '', role: 'panelist', name: 'P' })
    expect((await tenant.enter(answered[0] ?? '', token)).status).toBe(201)
    expect(await service.stop()).toBe(0)
    services.pop()
  })
})
