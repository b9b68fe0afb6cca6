import { beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../platform/config/config.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'

const plane = useControlPlane({
  config: { ...loadConfig(TEST_ENVIRONMENT), recordingRetentionDays: 365 },
})
const NONE = { recordings_days: null, chat_days: null, handouts_days: null }

const patch = (body: object, client = plane.tenant) => client.patch('/retention', body)
const read = async (client = plane.tenant) => (await client.get('/retention')).data

beforeEach(() => patch(NONE))

describe('the retention rules', () => {
  // contract: getRetention › 200 with `recordings_days`, `chat_days`, `handouts_days`, null without a rule, and
  //   the operator's `recordings_days_max`
  test('are none at first, beside the limit of the operator', async () => {
    const { status, data } = await plane.tenant.get('/retention')
    expect([status, data]).toEqual([200, { ...NONE, recordings_days_max: 365 }])
  })

  // contract: patchRetention › 200 with all rules: an absent member stays, null removes a rule
  test('are changed one by one, and removed by null', async () => {
    const first = await patch({ recordings_days: 90, chat_days: 3650 })
    const rules = { recordings_days: 90, chat_days: 3650, handouts_days: null }
    expect([first.status, first.data]).toEqual([200, { ...rules, recordings_days_max: 365 }])
    await patch({ handouts_days: 1 })
    await patch({ chat_days: null })
    expect(await read()).toMatchObject({ recordings_days: 90, chat_days: null, handouts_days: 1 })
    expect((await patch({})).data).toEqual(await read())
  })

  // contract: patchRetention › Rules of a tenant are its own
  test('belong to one tenant', async () => {
    await patch({ chat_days: 30 })
    expect(await read(plane.other)).toMatchObject(NONE)
    await patch({ chat_days: 60 }, plane.other)
    expect(await read()).toMatchObject({ chat_days: 30 })
  })

  // contract: patchRetention, Limits › 400 INVALID_REQUEST beyond 1 to `RETENTION_DAYS_MAX` days
  test.each([
    [{ recordings_days: 0 }, ['recordings_days', 'OUT_OF_RANGE']],
    [{ chat_days: 3651 }, ['chat_days', 'OUT_OF_RANGE']],
    [{ handouts_days: -1 }, ['handouts_days', 'OUT_OF_RANGE']],
    [{ handouts_days: 1.5 }, ['handouts_days', 'INVALID_TYPE']],
    [{ chat_days: '30' }, ['chat_days', 'INVALID_TYPE']],
    [{ recordings_days_max: 1 }, ['recordings_days_max', 'UNKNOWN_FIELD']],
  ])('are refused: %j', async (body, detail) => {
    const refused = await patch({ handouts_days: 5, ...body })
    expect([refused.status, refused.code, refused.details]).toEqual([
      400,
      'INVALID_REQUEST',
      [detail],
    ])
    expect(await read()).toMatchObject(NONE)
  })

  // contract: patchRetention › 422 VALIDATION_ERROR for `recordings_days` beyond `recordings_days_max`
  test('do not keep recordings longer than the operator', async () => {
    const refused = await patch({ recordings_days: 366, chat_days: 5 })
    expect([refused.status, refused.code, refused.details]).toEqual([
      422,
      'VALIDATION_ERROR',
      [['recordings_days', 'OUT_OF_RANGE']],
    ])
    expect(await read()).toMatchObject(NONE)
    expect((await patch({ recordings_days: 365, chat_days: 366 })).status).toBe(200)
  })
})
