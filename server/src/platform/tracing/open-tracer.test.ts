import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createFakeMedia } from '../../testing/fake-media.ts'
import { createFakeStorage } from '../../testing/fake-storage.ts'
import { runInTrace, traceContext } from '../lib/trace.ts'
import { inSpan, type NewSpan, NO_TRACER, type Tracer } from '../ports/tracer.ts'
import { openTracer, traceMedia, traceStorage } from './open-tracer.ts'

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const OURS = '00-4bf92f3577b34da6a3ce929d0e0e4736-1111111111111111-01'

/** Records the spans that were begun, each with its parent's context. */
function recordSpans(): { tracer: Tracer; begun: [name: string, parent: string | undefined][] } {
  const begun: [string, string | undefined][] = []
  const span = { context: OURS, describe() {}, fail() {}, end() {} }
  const begin = ({ name }: NewSpan) => {
    begun.push([name, traceContext()])
    return span
  }
  return { begun, tracer: { begin, close: async () => {} } }
}

test('without a collector there are no spans, and the adapters are as they were', async () => {
  const log = pino({ level: 'silent' })
  const tracer = await openTracer({ tracing: undefined, role: 'all' }, log)
  expect(tracer).toBe(NO_TRACER)
  const [media, storage] = [createFakeMedia(), createFakeStorage()]
  expect(traceMedia(tracer, media)).toBe(media)
  expect(traceStorage(tracer, storage)).toBe(storage)
  const named = { name: 'work', kind: 'consumer' } as const
  const context = await runInTrace(TRACEPARENT, () =>
    inSpan(tracer, named, async () => traceContext()),
  )
  expect(context).toBe(TRACEPARENT)
})

test('calls of the storage have a span within a trace, and none outside', async () => {
  const { tracer, begun } = recordSpans()
  const storage = traceStorage(tracer, createFakeStorage())
  expect(await storage.head('recordings/none')).toBeUndefined()
  expect(begun).toEqual([])
  await runInTrace(TRACEPARENT, () => storage.head('recordings/none'))
  await runInTrace(TRACEPARENT, () => storage.check())
  expect(begun).toEqual([['storage head', TRACEPARENT]])
})
