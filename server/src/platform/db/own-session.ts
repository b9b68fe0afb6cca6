import { Client, type ClientBase } from 'pg'

/**
 * The settings that the service relies on, whatever a role or a database sets. No parallel workers: statements are short, and
 * starting workers takes longer than the statement.
 */
export const SESSION_OPTIONS =
  '-c max_parallel_workers_per_gather=0 -c datestyle=ISO -c default_transaction_isolation=read\\ committed'

/** Thrown if statements of one connection reach several sessions, as with a pooler in transaction mode. */
export class SharedSession extends Error {
  override name = 'SharedSession'

  constructor() {
    super('a pooler gives every transaction another session of PostgreSQL')
  }
}

type Session = Pick<ClientBase, 'query'>
type EndableSession = Session & { end(): Promise<void> }

const ASK_BACKEND = { text: 'select pg_backend_pid() as pid', query_timeout: 5_000 }

/**
 * Throws `SharedSession` if such a pooler is in between: locks, notifications and prepared statements would belong to another
 * session. While another connection is in a transaction, such a pooler has to give this one another session.
 */
export async function requireOwnSession(
  client: Session,
  connectAnother: () => Promise<EndableSession>,
): Promise<void> {
  const before = await backendOf(client)
  const another = await connectAnother()
  try {
    await another.query('begin')
    await backendOf(another)
    if ((await backendOf(client)) !== before) throw new SharedSession()
  } finally {
    await another.end()
  }
}

async function backendOf(client: Session): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>(ASK_BACKEND)
  return rows[0]?.pid
}

/** A separate connection without a statement timeout. */
export async function connectAlone(
  url: string,
  { timeoutMs, applicationName }: { timeoutMs: number; applicationName: string },
): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    options: `${SESSION_OPTIONS} -c statement_timeout=0`,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}
