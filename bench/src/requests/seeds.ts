import type { Db } from '@interview-room/server/src/platform/db/db.ts'

export const EXTERNAL_TYPE = 'Reservation'

/** Rooms that exist before the first round, numbered from 1. */
const SEEDS = 20_000

/** A room's id is derived from its number. */
export function seedId(n: number): string {
  const digits = String(n).padStart(32, '0')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function seedRef(n: number): string {
  return `seed ${n}`
}

export function pickSeed(): number {
  return 1 + Math.floor(Math.random() * SEEDS)
}

export async function insertSeeds(db: Db, tenantId: string): Promise<void> {
  const id = db`lpad(n::text, 32, '0')::uuid`
  await db`
    insert into rooms (id, tenant_id, kind, archive_mode, archive_resolution, stream_resolution,
                       stream_frame_rate, transcription_language, transcription_service,
                       media_room_sid)
    select ${id}, ${tenantId}, 'interview', 'always', '1280x720', '640x480', 15, 'ja-JP',
           'engine_a', 'RM_bench'
      from generate_series(1, ${SEEDS}::integer) n
  `
  await db`
    insert into room_clocks (room_id) select ${id} from generate_series(1, ${SEEDS}::integer) n
  `
  await db`
    insert into sessions (id, tenant_id, room_id, external_type, external_id, name, access_token,
                          starts_at, ends_at)
    select ${id}, ${tenantId}, ${id}, ${EXTERNAL_TYPE}, 'seed ' || n, 'Second interview',
           repeat('x', 43), now() + interval '1 hour', now() + interval '2 hours'
      from generate_series(1, ${SEEDS}::integer) n
  `
  await db`vacuum (analyze) rooms, room_clocks, sessions`
}
