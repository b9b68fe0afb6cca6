import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { waitFor } from '../testing/wait-for.ts'
import type { App } from './app-types.ts'
import { sendError } from './errors.ts'
import { createLoad, limitLoad } from './limit-load.ts'

let app: FastifyInstance
let arrived: number
let finish: PromiseWithResolvers<void>

beforeEach(async () => {
  arrived = 0
  finish = Promise.withResolvers<void>()
  app = Fastify()
  app.decorateRequest('errorCode', '')
  app.setErrorHandler(sendError)
  limitLoad(app as unknown as App, createLoad(8))
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

async function fill(caller: string, count: number) {
  const before = arrived
  const answers = Array.from({ length: count }, () => ask('/work', caller))
  await waitFor(() => arrived === before + count)
  return answers
}

describe('a process that has enough to do', () => {
  test('answers 503 at once, and serves again when something is done', async () => {
    const answers = [...(await fill('a', 4)), ...(await fill('b', 4))]
    const refused = await ask('/work', 'c')
    expect(refused.statusCode).toBe(503)
    expect(refused.headers['retry-after']).toBe('2')
    expect(refused.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
    expect(arrived).toBe(8)
    finish.resolve()
    for (const answer of await Promise.all(answers)) expect(answer.statusCode).toBe(200)
    expect((await ask('/work', 'c')).statusCode).toBe(200)
  })

  test('leaves a quarter to others than the busiest caller', async () => {
    const answers = await fill('a', 6)
    expect((await ask('/work', 'a')).statusCode).toBe(503)
    const others = await fill('b', 2)
    finish.resolve()
    for (const answer of await Promise.all([...answers, ...others])) {
      expect(answer.statusCode).toBe(200)
    }
  })

  test('does what is urgent, and what takes long anyway', async () => {
    const answers = [...(await fill('a', 4)), ...(await fill('b', 4))]
    expect((await ask('/urgent')).statusCode).toBe(200)
    expect((await ask('/long')).statusCode).toBe(200)
    finish.resolve()
    await Promise.all(answers)
  })

  test('counts what has failed no longer', async () => {
    for (let n = 0; n < 20; n += 1) expect((await ask('/fails')).statusCode).toBe(500)
    finish.resolve()
    expect((await ask('/work')).statusCode).toBe(200)
  })
})
