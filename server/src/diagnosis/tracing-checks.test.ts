import { expect, test } from 'vitest'
import { askCheck } from '../platform/checks/check.ts'
import { loadConfig } from '../platform/config/config.ts'
import { startCollector } from '../testing/collector.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'
import { TRACING_CHECK } from './tracing-checks.ts'

const SETTINGS = { headers: {}, serviceName: 'interviews', sampledShare: 1 }

test.each([
  [200, 'ok', /takes spans$/],
  [401, 'fail', /takes no spans \(the collector answered 401\)$/],
])('a collector that answers %i is %s', async (status, result, detail) => {
  const collector = await startCollector()
  try {
    collector.status = status
    const tracing = { ...SETTINGS, endpoint: collector.url }
    const config = { ...loadConfig(TEST_ENVIRONMENT), tracing }
    const { found } = await askCheck(TRACING_CHECK, { config }, 5_000)
    expect(found).toMatchObject({ check: 'tracing:collector', result })
    expect(found.detail).toMatch(detail)
  } finally {
    await collector.close()
  }
})
