import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { sendError } from './errors.ts'
import { limitLoad, turnAway } from './limit-load.ts'
import { createLoad } from './load.ts'

/** Long enough for every waiting request to get its turn. */
const WAIT_MS = 30_000

let app: FastifyInstance
let arrived: number
let finish: PromiseWithResolvers<void>
let verify: (request: FastifyRequest) => Promise<void>

beforeEach(async () => {
  arrived = 0
  finish = Promise.withResolvers<void>()
  verify = async (request) => {
    const caller = request.headers.authorization?.replace('ApiKey ', '') ?? ''
    if (caller.startsWith('wrong')) throw new ServiceError('UNAUTHORIZED')
    request.tenantId = caller
  }
  app = Fastify()
  app.decorateRequest('errorCode', '')
  app.setErrorHandler(sendError)
  app.decorateRequest('isTurnedAway', false)
  const load = createLoad(8, WAIT_MS)
  for (const name of ['viewer', 'credential', 'connectionTest']) app.decorateRequest(name, null)
  app.decorateRequest('tenantId', '')
  turnAway(app, load, {})
  limitLoad(app, load, () => app.addHook('onRequest', (request) => verify(request)))
  app.get('/work', async () => {
    arrived += 1
    await finish.promise
    return 'done'
  })
  app.get('/urgent', { config: { isUrgent: true } }, async () => 'done')
  app.get('/long', { config: { isLong: true } }, async () => 'done')
  app.get('/fails', async () => {
    throw new Error('a defect')
  })
  await app.ready()
})

afterEach(() => app.close())

const ask = (url: string, caller = 'a') =>
  app.inject({ method: 'GET', url, headers: { authorization: `ApiKey ${caller}` } })

const known = (name: string) => ({ name, isKnown: true })

/** Sends this many requests of each of these callers, and waits until they run or wait. */
async function fill(counts: Record<string, number>, running: number) {
  for (const caller of Object.keys(counts)) await ask('/urgent', caller)
  const answers = Object.entries(counts).flatMap(([caller, count]) =>
    Array.from({ length: count }, () => ask('/work', caller)),
  )
  await waitFor(() => arrived === running)
  return answers
}

const statusesOf = async (answers: Promise<{ statusCode: number }>[]) =>
  new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))

describe('a process that has enough to do', () => {
  test('handles as many requests side by side as allowed, and the others in turn', async () => {
    const answers = await fill({ a: 18, b: 18 }, 8)
    finish.resolve()
    expect(await statusesOf(answers)).toEqual(new Set([200]))
    expect(arrived).toBe(36)
  })

  test('returns 503 immediately while too many wait, and serves again afterwards', async () => {
    const answers = await fill({ a: 20, b: 20 }, 8)
    const refused = await ask('/work', 'c')
    expect(refused.statusCode).toBe(503)
    expect(refused.headers['retry-after']).toBe('2')
    expect(refused.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
    expect(arrived).toBe(8)
    finish.resolve()
    expect(await statusesOf(answers)).toEqual(new Set([200]))
    expect((await ask('/work', 'c')).statusCode).toBe(200)
  })

  test('returns 503 to a request that has waited too long', async () => {
    const load = createLoad(1, 10)
    const end = await load.begin(known('a'))
    expect(await load.begin(known('b'))).toBeUndefined()
    end?.()
    expect(await load.begin(known('b'))).toBeTypeOf('function')
  })

  test('leaves a quarter of the places and of the queue to others than the busiest', async () => {
    const answers = await fill({ a: 6 + 24 }, 6)
    expect((await ask('/work', 'a')).statusCode).toBe(503)
    const others = await fill({ b: 2 }, 8)
    finish.resolve()
    expect(await statusesOf([...answers, ...others])).toEqual(new Set([200]))
  })

  test('serves callers in turn', async () => {
    const load = createLoad(2, WAIT_MS)
    const order: string[] = []
    const first = [await load.begin(known('x')), await load.begin(known('y'))]
    const waiting = ['a', 'a', 'a', 'b', 'c'].map(async (caller) => {
      const end = await load.begin(known(caller))
      order.push(caller)
      end?.()
    })
    for (const end of first) end?.()
    await Promise.all(waiting)
    expect(order.slice(0, 3).toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('handles urgent requests, and long ones, anyway', async () => {
    const answers = await fill({ a: 20, b: 20 }, 8)
    expect((await ask('/urgent')).statusCode).toBe(200)
    expect((await ask('/long')).statusCode).toBe(200)
    finish.resolve()
    await Promise.all(answers)
  })

  test('serves known callers during a flood of wrong credentials, and strangers after it', async () => {
    await ask('/urgent', 'a')
    const check = verify
    const checking = Promise.withResolvers<void>()
    let checks = 0
    verify = async (request) => {
      if (request.headers.authorization?.includes('wrong') === true) {
        checks += 1
        await checking.promise
      }
      return check(request)
    }
    const flood = Array.from({ length: 64 }, (_each, n) => ask('/work', `wrong ${n}`))
    // Three quarters of two places, for one address.
    await waitFor(() => checks === 2)
    finish.resolve()
    expect(await statusesOf(Array.from({ length: 20 }, () => ask('/work', 'a')))).toEqual(
      new Set([200]),
    )
    checking.resolve()
    expect(await statusesOf(flood)).toEqual(new Set([401, 503]))
    expect((await ask('/work', 'new')).statusCode).toBe(200)
  })

  test('no longer counts failed requests', async () => {
    for (let n = 0; n < 20; n += 1) expect((await ask('/fails')).statusCode).toBe(500)
    finish.resolve()
    expect((await ask('/work')).statusCode).toBe(200)
  })
})
