import type { Query } from '../../platform/db/db.ts'

/** A rule that must always hold, and a statement that finds its violations. */
export interface Invariant {
  name: string
  /** A sentence for readers of the report. */
  rule: string
  /** Ids of at most `limit` violations. */
  find: (query: Query, limit: number) => Promise<readonly { id: string }[]>
}

type Row = { id: string }

/** A missing fact counts only after a while: the reconciler needs two passes. */
export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'one-session-per-reference',
    rule: 'A tenant has one session for each external reference.',
    find: (query, limit) => query<Row[]>`
      select min(id::text) as id from sessions
       group by tenant_id, external_type, external_id having count(*) > 1 limit ${limit}
    `,
  },
  {
    name: 'nobody-in-a-closed-room',
    rule: 'Nobody is in a room a minute after it was closed.',
    find: (query, limit) => query<Row[]>`
      select e.id::text as id
        from entry_histories e
        join rooms r on r.id = e.room_id
       where e.left_at is null and r.closed_at < clock_timestamp() - interval '1 minute'
       limit ${limit}
    `,
  },
  {
    name: 'nobody-enters-a-closed-room',
    rule: 'A person who enters after the close of a room is removed within half a minute.',
    find: (query, limit) => query<Row[]>`
      select e.id::text as id
        from entry_histories e
        join room_events closed on closed.room_id = e.room_id
                               and closed.event_type = 'room.closed' and closed.seq < e.seq
       where e.left_at > closed.created_at + interval '30 seconds'
       limit ${limit}
    `,
  },
  {
    name: 'no-banned-person-inside',
    rule: 'Nobody is in a room half a minute after being banned.',
    find: (query, limit) => query<Row[]>`
      select e.id::text as id
        from entry_histories e
        join participants p on p.id = e.participant_id
       where e.left_at is null and p.banned_at < clock_timestamp() - interval '30 seconds'
       limit ${limit}
    `,
  },
  {
    name: 'one-event-per-transition',
    rule: 'Every transition is one webhook event.',
    find: (query, limit) => query<Row[]>`
      select min(id) as id from webhook_events
       group by tenant_id, dedupe_key having count(*) > 1 limit ${limit}
    `,
  },
  {
    name: 'every-delivery-goes-on',
    rule: 'A delivery that waits for another one of its resource has one to wait for.',
    find: (query, limit) => query<Row[]>`
      select d.event_id as id
        from webhook_deliveries d
       where d.state = 'pending' and d.due_at is null
         and d.created_at < clock_timestamp() - interval '10 minutes'
         and not exists (select 1 from webhook_deliveries older
                          where older.endpoint_id = d.endpoint_id
                            and older.stream_key = d.stream_key
                            and older.state = 'pending' and older.parked_at is null
                            and older.id < d.id)
       limit ${limit}
    `,
  },
  {
    name: 'deliveries-are-made',
    rule: 'What is due to an endpoint that works is sent within ten minutes.',
    find: (query, limit) => query<Row[]>`
      select d.event_id as id
        from webhook_endpoints e
        join webhook_deliveries d on d.endpoint_id = e.id
       where e.state = 'active' and e.next_probe_at is null and d.state = 'pending'
         and d.due_at < clock_timestamp() - interval '10 minutes'
       limit ${limit}
    `,
  },
  {
    name: 'jobs-are-run',
    rule: 'A job that is due is taken within ten minutes.',
    find: (query, limit) => query<Row[]>`
      select kind || ' ' || key as id
        from jobs
       where state = 'due'
         and greatest(due_at, lease_until) < clock_timestamp() - interval '10 minutes'
       limit ${limit}
    `,
  },
  {
    name: 'no-job-is-given-up',
    rule: 'Every job ends in time.',
    find: (query, limit) => query<Row[]>`
      select kind || ' ' || key as id from jobs where state = 'discarded' limit ${limit}
    `,
  },
  {
    name: 'available-recordings-have-a-file',
    rule: 'An available recording has a file and a size.',
    find: (query, limit) => query<Row[]>`
      select id::text as id from recordings
       where status = 'available' and (storage_key is null or size_bytes is null)
       limit ${limit}
    `,
  },
  {
    name: 'files-fit-the-data',
    rule: 'At the last daily look, recordings had their files, and no object was newer than the data.',
    find: (query, limit) => query<Row[]>`
      select storage_key as id from storage_differences
       where kind = 'missing' or (is_held and kept_at is null)
       limit ${limit}
    `,
  },
  {
    name: 'one-running-transcription',
    rule: 'A recording is transcribed once at a time in each language.',
    find: (query, limit) => query<Row[]>`
      select recording_id::text as id from transcriptions
       where status in ('sending_request', 'processing', 'retrying')
       group by recording_id, language, kind having count(*) > 1 limit ${limit}
    `,
  },
  {
    name: 'nothing-of-the-deleted',
    rule: 'A deleted recording is no longer reported, and its row is gone.',
    find: (query, limit) => query<Row[]>`
      select d.recording_id::text as id
        from recording_deletions d
       where exists (select 1 from recordings r where r.id = d.recording_id)
          or exists (select 1 from webhook_events e
                      where e.tenant_id = d.tenant_id
                        and e.stream_key = 'recording:' || d.recording_id
                        and e.occurred_at > d.deleted_at)
       limit ${limit}
    `,
  },
  {
    name: 'logs-behind-their-clock',
    rule: "Nothing in a room's logs has a number that the room's clock has not given.",
    find: (query, limit) => query<Row[]>`
      select c.room_id::text as id
        from room_clocks c
       where c.seq < greatest(
               (select max(seq) from entry_histories e where e.room_id = c.room_id),
               (select max(seq) from room_events e where e.room_id = c.room_id),
               (select max(seq) from chat_messages m where m.room_id = c.room_id),
               (select max(seq) from live_events l where l.room_id = c.room_id))
       limit ${limit}
    `,
  },
  {
    name: 'nobody-leaves-before-entering',
    rule: 'An entry ends after it began.',
    find: (query, limit) => query<Row[]>`
      select id::text as id from entry_histories where left_at < entered_at limit ${limit}
    `,
  },
]

/** Every value that is encrypted at rest. */
export async function listAllSealed(query: Query): Promise<{ id: string; sealed: Uint8Array }[]> {
  return query<{ id: string; sealed: Uint8Array }[]>`
    select 'service key ' || kid as id, private_jwk_encrypted as sealed from service_keys
    union all
    select 'webhook secret ' || s.id || ' of endpoint ' || e.id || ' of tenant ' || e.tenant_id,
           s.secret_encrypted
      from webhook_secrets s
      join webhook_endpoints e on e.id = s.endpoint_id
  `
}
