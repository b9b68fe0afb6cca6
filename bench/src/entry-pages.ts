import { parseArgs } from 'node:util'
import { listEntries } from '@interview-room/server/src/domain/people/entry-store.ts'
import { type Db, openDb, raw } from '@interview-room/server/src/platform/db/db.ts'
import { createPaging } from '@interview-room/server/src/platform/ports/paging.ts'
import { createTenant } from '@interview-room/server/src/platform/tenants/create-tenant.ts'
import { issueApiKey } from '@interview-room/server/src/platform/tenants/issue-api-key.ts'
import { startDatabase } from './database.ts'
import { openHttpConnection, requestBytes } from './http-connection.ts'
import { machine } from './machine.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import { recordStatements, written } from './statements.ts'
import { median, quantile, round } from './statistics.ts'

const LIMIT = 100
const ROOM = '00000000-0000-7000-8000-000000000001'
const CHUNK = 500_000
const WARM_UP = 200
const RATIO_MAX = 1.5

/** Measures the first and the last page of one room with very many entry histories. */
export async function measureEntryPages(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '10000000' },
      pairs: { type: 'string', default: '2000' },
    },
  })
  const rows = Number(values.rows)
  const database = await startDatabase({ isDurable: false })
  try {
    // The provider is never called.
    const provider = { url: 'http://127.0.0.1:9', apiKey: 'nobody', apiSecret: 'nobody-is-asked' }
    const service = await startServiceProcess(database, provider)
    try {
      const tenant = await fill(database.url, rows)
      const pages = await pagesOf(service, tenant.id, rows)
      const plans = await plansOf(database.url, pages)
      const times = await timePages({
        service,
        apiKey: tenant.apiKey,
        pages,
        pairs: Number(values.pairs),
      })
      report({ rows, pages, plans, times })
    } finally {
      await service.stop()
    }
  } finally {
    await database.stop()
  }
}

async function fill(url: string, rows: number): Promise<{ id: string; apiKey: string }> {
  const db = openDb({ url, poolSize: 1, statementTimeoutMs: 0, applicationName: 'bench-rows' })
  try {
    const tenant = await createTenant(db, { name: 'Bench' })
    const { apiKey } = await issueApiKey(db, { tenantId: tenant.id, note: null })
    await insertRoom(db, tenant.id)
    // All foreign keys are correct. Checking ten million of them would only take time.
    await db`set session_replication_role = replica`
    for (let from = 1; from <= rows; from += CHUNK) {
      await insertEntries(db, tenant.id, { from, to: Math.min(from + CHUNK - 1, rows) })
      console.log(`${Math.min(from + CHUNK - 1, rows)} rows`)
    }
    // Autovacuum would do this, too.
    await db`vacuum (analyze) entry_histories`
    return { id: tenant.id, apiKey }
  } finally {
    await db.end()
  }
}

async function insertRoom(db: Db, tenantId: string): Promise<void> {
  await db`
    insert into rooms (id, tenant_id, kind, archive_mode, archive_resolution, stream_resolution,
                       stream_frame_rate, transcription_language, transcription_service,
                       media_room_sid)
    values (${ROOM}, ${tenantId}, 'interview', 'always', '640x480', '320x240', 15, 'ja-JP',
            'engine_a', 'RM_bench')
  `
}

async function insertEntries(
  db: Db,
  tenantId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await db`
    insert into entry_histories (tenant_id, room_id, seq, media_identity, media_sid, name, role,
                                 browser_name, browser_version, platform_name, platform_version,
                                 ip_address, entered_at, left_at)
    select ${tenantId}, ${ROOM}, n, md5(n::text), 'PA_' || lpad(n::text, 12, '0'),
           'Person ' || n % 1000, 'panelist', 'Chrome', '141.0.0.0', 'Windows', '10',
           '192.0.2.' || n % 256, timestamptz '2026-01-01' + n * interval '1 second',
           timestamptz '2026-01-01' + (n + 600) * interval '1 second'
      from generate_series(${from}::bigint, ${to}::bigint) n
  `
}

interface Page {
  number: number
  /** The position in the page's cursor; undefined on the first page. */
  after: string | undefined
  path: string
}

/** The first, middle and last page. Cursors are made by the service's own module. */
async function pagesOf(service: ServiceProcess, tenantId: string, rows: number): Promise<Page[]> {
  const paging = createPaging(service.secretsKey)
  const last = Math.ceil(rows / LIMIT)

  async function cursorAfter(seq: number): Promise<string> {
    const scope = {
      list: 'entry-histories',
      tenantId,
      filters: { roomId: ROOM, role: undefined },
    }
    const { next_cursor: cursor } = await paging.page({ limit: 1 }, scope, {
      rows: async () => [seq, seq + 1],
      positionOf: String,
      present: (row) => row,
    })
    if (cursor === null) throw new Error('there is no next page')
    return cursor
  }

  async function page(number: number): Promise<Page> {
    const path = `/api/v1/rooms/${ROOM}/entry-histories?limit=${LIMIT}`
    if (number === 1) return { number, after: undefined, path }
    const seq = (number - 1) * LIMIT
    return { number, after: String(seq), path: `${path}&cursor=${await cursorAfter(seq)}` }
  }

  return Promise.all([page(1), page(Math.ceil(last / 2)), page(last)])
}

/** The nodes of a plan that read a table or an index, such as "Index Scan by name". */
type Plan = { 'Node Type': string; 'Index Name'?: string; Plans?: Plan[] }

/** PostgreSQL's plan for each page, and the generic plan that it would keep for all of them. */
async function plansOf(url: string, pages: readonly Page[]): Promise<string[]> {
  const statements = await recordStatements(url, async (db) => {
    for (const { after } of pages) {
      await listEntries(db, { roomId: ROOM, role: undefined, after, limit: LIMIT })
    }
  })
  const db = openDb({ url, poolSize: 1, applicationName: 'bench-plans' })
  async function explain(options: string, statement: string): Promise<string> {
    const rows = await db<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>`
      ${raw(`explain (${options}, format json) ${statement}`)}
    `
    return rows.flatMap((row) => scansOf(row['QUERY PLAN'][0].Plan)).join(', ')
  }
  try {
    const plans: string[] = []
    for (const statement of statements) plans.push(await explain('analyze', written(statement)))
    return [...plans, await explain('generic_plan', statements[0]?.text ?? '')]
  } finally {
    await db.end()
  }
}

function scansOf(plan: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap((each) => scansOf(each))
  if (!plan['Node Type'].includes('Scan') && plan['Node Type'] !== 'Sort') return below
  return [`${plan['Node Type']} ${plan['Index Name'] ?? ''}`.trim(), ...below]
}

/** Milliseconds of every request, over one connection. The pages alternate. */
async function timePages({
  service,
  apiKey,
  pages,
  pairs,
}: {
  service: ServiceProcess
  apiKey: string
  pages: readonly Page[]
  pairs: number
}): Promise<number[][]> {
  const connection = await openHttpConnection(service.port)
  const authorization = `ApiKey ${apiKey}`
  const requests = pages.map(({ path }) => requestBytes({ method: 'GET', path, authorization }))
  const times = pages.map((): number[] => [])
  for (let n = 0; n < WARM_UP + pairs; n += 1) {
    for (const [at, request] of requests.entries()) {
      const start = performance.now()
      const { status, body } = await connection.exchange(request)
      const tookMs = performance.now() - start
      if (n < 2) mustBe(pages[at], { status, body })
      if (n >= WARM_UP) times[at]?.push(tookMs)
    }
  }
  connection.close()
  return times
}

/** Throws unless the answer is exactly this page. */
function mustBe(page: Page | undefined, { status, body }: { status: number; body: string }): void {
  const { items } = (JSON.parse(body) as { data: { items: { entered_at: string }[] } }).data
  const first = Number(page?.after ?? 0) + 1
  const enteredAt = new Date(Date.UTC(2026, 0, 1) + first * 1000).toISOString()
  if (status === 200 && items.length === LIMIT && items[0]?.entered_at === enteredAt) return
  throw new Error(`page ${page?.number} is another: ${status} ${body.slice(0, 300)}`)
}

function report({
  rows,
  pages,
  plans,
  times,
}: {
  rows: number
  pages: readonly Page[]
  plans: readonly string[]
  times: readonly (readonly number[])[]
}): void {
  const [first = []] = times
  const figures = pages.map(({ number }, at) => {
    const of = times[at] ?? []
    return {
      page: number,
      medianMs: round(median(of)),
      p95Ms: round(quantile(of, 0.95)),
      medianToPage1: round(median(of) / median(first)),
      p95ToPage1: round(quantile(of, 0.95) / quantile(first, 0.95)),
      plan: plans[at] ?? '',
    }
  })
  const kept = plans.at(-1) ?? ''
  console.log(`\n${rows} entries in one room, ${first.length} requests for each page in turn`)
  console.table(figures)
  console.log(`plan that is kept for every page: ${kept}`)
  console.log(`target: the last page within ${RATIO_MAX} of the first`)
  const conditions = { rows, requests: first.length, limit: LIMIT }
  console.log(
    JSON.stringify({ bench: 'entry-pages', machine: machine(), conditions, pages: figures, kept }),
  )
}
