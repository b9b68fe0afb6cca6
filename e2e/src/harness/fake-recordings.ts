import type { Page } from 'playwright-core'

const ID = '018f0000-0000-7000-8000-00000000000'
const AT = '2026-06-01T05:00:00.000Z'
const TIMES = { created_at: AT, updated_at: AT }

const RECORDING = {
  id: `${ID}1`,
  room_id: `${ID}0`,
  provider_archive_id: 'EG_1',
  status: 'available',
  output_mode: 'composed',
  size: 48_300_000,
  duration_sec: 1805.4,
  failure_reason: null,
  ...TIMES,
}

/** A page of a list, as the API answers it. */
function list(items: object[]) {
  const data = { items, next_cursor: null, has_more: false }
  return { json: { success: true, data, error: null } }
}

/** Serves recordings to the playground: a video, an archive, and one that failed. */
export async function serveFakeRecordings(page: Page): Promise<void> {
  const failed = { ...RECORDING, id: `${ID}5`, status: 'failed', size: null, duration_sec: null }
  const archive = { ...RECORDING, id: `${ID}4`, output_mode: 'individual' }
  const api = '**/api/v1'
  await page.route(`${api}/rooms/*/recordings?*`, (route) =>
    route.fulfill(list([RECORDING, archive, failed])),
  )
  await page.route(`${api}/rooms/*/room-events?*`, (route) => {
    const payload = { recording_id: failed.id, failure_reason: 'start_timeout' }
    return route.fulfill(list([{ payload }]))
  })
}
