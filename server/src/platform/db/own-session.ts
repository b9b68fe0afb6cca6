import { Client, type ClientBase } from 'pg'

/**
 * What the service relies on, whatever a role or a database is set to. Statements are short: to start workers for one
 * takes longer than the statement.
 */
export const SESSION_OPTIONS =
  '-c max_parallel_workers_per_gather=0 -c datestyle=ISO -c default_transaction_isolation=read\\ committed'

/** What is asked of one connection goes to several, as behind a pooler in transaction mode. */
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
 * Throws `SharedSession` where a pooler is between: locks, notifications and prepared statements would be those of
 * somebody else. While another connection is in a transaction, such a pooler has to give this one another session.
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

/** A connection that is nobody else's, whose statements take what they take. */
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
