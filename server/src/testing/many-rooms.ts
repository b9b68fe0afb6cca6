import type { Db } from '../platform/db/db.ts'

interface ManyRooms {
  tenantId: string
  /** The rooms are named `Room 1` to `Room <count>`, and each starts a second after the one before. */
  count: number
  startsInMin: number
}

/** Books many rooms at once, without anybody inside. Returns their ids in the order of their start. */
export async function addManyRooms(
  db: Db,
  { tenantId, count, startsInMin }: ManyRooms,
): Promise<string[]> {
  const start = db`now() + make_interval(mins => ${startsInMin}::int, secs => n)`
  const rows = await db<{ id: string }[]>`
    with many as (
      select n, gen_random_uuid() as id from generate_series(1, ${count}::int) n
    ), made as (
      insert into rooms (id, tenant_id, kind, archive_mode, archive_resolution, stream_resolution,
                         stream_frame_rate, transcription_language, transcription_service,
                         media_room_sid, created_at)
      select id, ${tenantId}, 'interview', 'manual', '640x480', '320x240', 15, 'ja-JP', 'engine_c',
             'RM_' || id, now()
        from many
    ), clocks as (
      insert into room_clocks (room_id, seq) select id, 0 from many
    ), slots as (
      insert into sessions (id, tenant_id, room_id, external_type, external_id, name, access_token,
                            starts_at, ends_at)
      select id, ${tenantId}, id, 'Slot', id, 'Room ' || n, repeat('x', 43), ${start},
             ${start} + interval '1 hour'
        from many
    )
    select id from many order by n
  `
  return rows.map(({ id }) => id)
}
