import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../local/lib/ports.ts'
import { startCollector, type TestCollector } from '../../testing/collector.ts'
import { runInTrace } from '../lib/trace.ts'
import type { Tracer } from '../ports/tracer.ts'
import { startTracer } from './start-tracer.ts'

const NAMED = { name: 'work', kind: 'consumer' } as const
const CONTEXT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/

let collector: TestCollector
let lines: string[]

beforeEach(async () => {
  collector = await startCollector()
  lines = []
})

afterEach(async () => {
  await collector.close()
})

function start({ endpoint = collector.url, sampledShare = 1 } = {}): Tracer {
  // The exporter may still retry a batch of a closed tracer, and fail, in the next test.
  const ownLines = lines
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      ownLines.push(JSON.parse(chunk.toString()).msg)
      done()
    },
  })
  const config = { endpoint, headers: {}, serviceName: 'interviews', sampledShare }
  return startTracer(config, { log: pino(out), role: 'all' })
}

const nowhere = async () => `http://127.0.0.1:${await freePort('127.0.0.1')}`

async function secondsOf(work: Promise<void>): Promise<number> {
  const begun = performance.now()
  await work
  return (performance.now() - begun) / 1000
}

test('sends the remaining spans at the close', async () => {
  const tracer = start()
  const span = tracer.begin(NAMED)
  span?.end()
  expect(span?.context).toMatch(CONTEXT)
  await tracer.close()
  expect(collector.spans.map(({ name }) => name)).toEqual(['work'])
  expect(lines).toEqual([])
})

describe('a close takes no longer than two seconds', () => {
  test('when the collector hangs', async () => {
    collector.status = undefined
    const tracer = start()
    tracer.begin(NAMED)?.end()
    expect(await secondsOf(tracer.close())).toBeLessThan(3)
    expect(collector.requests).toHaveLength(1)
  })

  test('when there is none', async () => {
    const tracer = start({ endpoint: await nowhere() })
    tracer.begin(NAMED)?.end()
    expect(await secondsOf(tracer.close())).toBeLessThan(3)
  })
})

test('the log says that there is no collector, after its retries', async () => {
  const tracer = start({ endpoint: await nowhere() })
  tracer.begin(NAMED)?.end()
  await expect.poll(() => lines).toEqual(['traces are not exported'])
  await tracer.close()
})

test('the log says that exports fail, and that they work again, each at its change', async () => {
  const tracer = start()
  const bursts = [500, 500, 200, 200]
  for (const [at, status] of bursts.entries()) {
    collector.status = status
    // A full batch is sent without waiting for more.
    for (let n = 0; n < 512; n += 1) tracer.begin(NAMED)?.end()
    await expect.poll(() => collector.requests.length).toBe(at + 1)
  }
  await tracer.close()
  expect(lines).toEqual(['traces are not exported', 'traces are exported again'])
})

describe('of the traces', () => {
  test('that begin here, only the share of the settings is sent', async () => {
    const tracer = start({ sampledShare: 0 })
    const span = tracer.begin(NAMED)
    span?.end()
    await tracer.close()
    // Later spans are not sent either.
    expect(span?.context).toMatch(/-00$/)
    expect(collector.spans).toEqual([])
  })

  test.each([
    ['01', 1],
    ['00', 0],
  ])('of callers, those that they keep (flags %s)', async (flags, count) => {
    const tracer = start({ sampledShare: 1 - count })
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const span = runInTrace(`00-${trace}-00f067aa0ba902b7-${flags}`, () => tracer.begin(NAMED))
    span?.end()
    await tracer.close()
    expect(span?.context).toContain(`00-${trace}-`)
    expect(collector.spans).toHaveLength(count)
  })
})
