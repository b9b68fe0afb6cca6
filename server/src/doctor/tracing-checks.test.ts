import { expect, test } from 'vitest'
import { startCollector } from '../testing/collector.ts'
import { checkTracing } from './tracing-checks.ts'

const SETTINGS = { headers: {}, serviceName: 'interviews', sampledShare: 1 }

test.each([
  [200, 'ok', /takes spans$/],
  [401, 'fail', /takes no spans \(the collector answered 401\)$/],
])('a collector that answers %i is %s', async (status, result, detail) => {
  const collector = await startCollector()
  try {
    collector.status = status
    const found = await checkTracing({ tracing: { ...SETTINGS, endpoint: collector.url } })
    expect(found).toMatchObject([{ check: 'tracing:collector', result }])
    expect(found[0]?.detail).toMatch(detail)
  } finally {
    await collector.close()
  }
})

test('has no finding if nothing is traced', async () => {
  expect(await checkTracing({ tracing: undefined })).toEqual([])
})
