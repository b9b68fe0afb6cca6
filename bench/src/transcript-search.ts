import { parseArgs } from 'node:util'
import { searchLines } from '@interview-room/server/src/domain/recording/transcriptions/search-store.ts'
import { type Db, openDb } from '@interview-room/server/src/platform/db/db.ts'
import { migrate } from '@interview-room/server/src/platform/db/migrate.ts'
import { createTenant } from '@interview-room/server/src/platform/tenants/create-tenant.ts'
import { addManyRooms } from '@interview-room/server/src/testing/many-rooms.ts'
import { startDatabase } from './database.ts'
import { machine } from './machine.ts'
import { median, quantile, round } from './statistics.ts'

const STATEMENT_TIMEOUT_MS = 300_000
const RECORDINGS_OF_A_ROOM = 2
const LIMIT = 20
/** Said in one of ten thousand lines, and in none. */
const [RARE, ABSENT] = ['蛍光灯', '顕微鏡']
/** The first ones are said often, the others less and less. */
const WORDS =
  'はい そう です ので ます から ある この その もの こと 思い ました それ とても 商品 表示 価格 使って 見やすい 買い物 パッケージ ボタン 画面 説明 文字 色 わかり やすい 家族 週末 スーパー 比べて 選ぶ 迷って 決めた 理由 印象 広告 店員 健康 味 香り 量 袋 箱 ふた 開け にくい 子ども 母 友人 会社 通勤 朝食 夕方 冷蔵庫 電子レンジ アプリ 登録 通知 設定'.split(
    ' ',
  )

const SEARCHES = [
  { words: 'パッケージ', about: 'five letters, common' },
  { words: '冷蔵庫', about: 'three letters, common' },
  { words: RARE, about: 'three letters, rare' },
  { words: ABSENT, about: 'three letters, absent' },
  { words: '通勤', about: 'two letters, common' },
  { words: RARE.slice(0, 2), about: 'two letters, rare' },
  { words: ABSENT.slice(0, 2), about: 'two letters, absent' },
  { words: ABSENT.slice(0, 1), about: 'one letter, absent' },
]

/** Measures a search in the transcripts of a tenant, a room and a recording, as a ratio to reading a page of lines by its key. */
export async function measureTranscriptSearch(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      transcripts: { type: 'string', default: '1000' },
      lines: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '20' },
    },
  })
  const [transcripts, lines, rounds] = [values.transcripts, values.lines, values.rounds].map(Number)
  const database = await startDatabase({ isDurable: false })
  const db = openDb({
    url: database.url,
    poolSize: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'bench-search',
  })
  try {
    await migrate({ url: database.url })
    const filled = await fill(db, { transcripts: transcripts ?? 0, lines: lines ?? 0 })
    const rows = []
    for (const search of SEARCHES) {
      for (const scope of ['tenant', 'room', 'recording'] as const) {
        rows.push(await measure(db, { ...filled, ...search, scope, rounds: rounds ?? 0 }))
      }
    }
    console.table(rows)
    const conditions = { transcripts, lines, rounds, limit: LIMIT }
    console.log(
      JSON.stringify({ bench: 'transcript-search', machine: machine(), conditions, rows }),
    )
  } finally {
    await db.end()
    await database.stop()
  }
}

interface Filled {
  tenantId: string
  roomId: string
  recordingId: string
}

/** One tenant with all transcripts, two in each room. Returns a room and a recording from their middle. */
async function fill(db: Db, size: { transcripts: number; lines: number }): Promise<Filled> {
  const { id: tenantId } = await createTenant(db, { name: 'Bench' })
  const count = Math.ceil(size.transcripts / RECORDINGS_OF_A_ROOM)
  const roomIds = await addManyRooms(db, { tenantId, count, startsInMin: 60 })
  const made = await db<{ id: string; roomId: string }[]>`
    with made as (
      insert into recordings (id, tenant_id, room_id, seq, provider_archive_id, status, output_mode,
                              storage_key, size_bytes, duration_sec, created_at, updated_at)
      select gen_random_uuid(), ${tenantId}, room_id::uuid, n, 'EG', 'available', 'composed', 'x', 1,
             3600, now(), now()
        from unnest(${roomIds}::text[]) room_id, generate_series(1, ${RECORDINGS_OF_A_ROOM}::int) n
      returning id, room_id, seq
    ), transcribed as (
      insert into transcriptions (id, tenant_id, recording_id, room_id, seq, provider, status, language,
                                  kind, result_key, created_at, updated_at)
      select id, ${tenantId}, id, room_id, seq, 'engine_c', 'done', 'ja-JP', 'transcription', id, now(),
             now()
        from made
    )
    select id, room_id as "roomId" from made order by id
  `
  for (const { id } of made) await addLines(db, id, size.lines)
  await db`vacuum analyze transcript_lines`
  await db`analyze transcriptions`
  const middle = made[Math.floor(made.length / 2)]
  if (middle === undefined) throw new Error('there is no transcript')
  return { tenantId, roomId: middle.roomId, recordingId: middle.id }
}

/** Words of other places of the list are likelier the nearer they are to its start. */
async function addLines(db: Db, transcriptionId: string, lines: number): Promise<void> {
  await db`
    insert into transcript_lines (transcription_id, position, start_sec, end_sec, speaker, role, text)
    select ${transcriptionId}, n, 3.5 * n, 3.5 * n + 3, 'Hanako', 'panelist',
           case when random() < 0.0001 then ${RARE} else '' end ||
           (select string_agg((${WORDS}::text[])[1 + floor(random() ^ 2 * ${WORDS.length}::int)], '')
              from generate_series(1, 8 + n * 0))
      from generate_series(0, ${lines - 1}::int) n
  `
}

interface Measured extends Filled {
  words: string
  about: string
  scope: 'tenant' | 'room' | 'recording'
  rounds: number
}

async function measure(db: Db, measured: Measured): Promise<Record<string, unknown>> {
  const { tenantId, words, about, scope, rounds } = measured
  const asked = {
    tenant: {},
    room: { roomId: measured.roomId },
    recording: { recordingId: measured.recordingId },
  }[scope]
  const search = { tenantId, words, asked, opened: {} }
  const [pagesMs, searchesMs]: [number[], number[]] = [[], []]
  let hits = 0
  for (let at = 0; at <= rounds; at += 1) {
    const startMs = performance.now()
    await readPage(db, measured.recordingId)
    const betweenMs = performance.now()
    hits = (await searchLines(db, search, { after: undefined, limit: LIMIT })).length
    if (at === 0) continue
    pagesMs.push(betweenMs - startMs)
    searchesMs.push(performance.now() - betweenMs)
  }
  return {
    about,
    scope,
    hits,
    p50Ms: round(median(searchesMs)),
    p99Ms: round(quantile(searchesMs, 0.99)),
    p50ToPage: round(median(searchesMs) / median(pagesMs)),
  }
}

/** The baseline: as many lines as a page of hits has, by their key. */
async function readPage(db: Db, transcriptionId: string): Promise<void> {
  await db`
    select start_sec, end_sec, text, participant_id, speaker, role
      from transcript_lines
     where transcription_id = ${transcriptionId}
     order by position
     limit ${LIMIT + 1}
  `
}
