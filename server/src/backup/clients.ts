import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const PROGRAMS = ['pg_dump', 'pg_restore']
const ANSWER_MS = 10_000

export interface Majors {
  /** Version of the server that DATABASE_URL names. */
  source: number
  /** Version of the empty database's server. */
  into: number
}

/** Throws if the clients in PATH cannot copy between these servers: pg_dump refuses a server newer than itself. */
export async function requireClients(majors: Majors): Promise<void> {
  for (const program of PROGRAMS) {
    const said = await versionOf(program)
    const problem = clientProblem({ program, said, ...majors })
    if (problem !== undefined) throw new Error(problem)
  }
}

/** The problem in one sentence; `said` is the program's answer to --version, undefined if it is missing. */
export function clientProblem({
  program,
  said,
  source,
  into,
}: Majors & { program: string; said: string | undefined }): string | undefined {
  const clients = `install the clients of PostgreSQL ${source} and set PATH so that their folder comes first, for example PATH=/usr/lib/postgresql/${source}/bin:$PATH`
  if (said === undefined) return `there is no ${program} in PATH: ${clients}`
  const major = Number(/(\d+)/.exec(said)?.[1])
  if (major < source) {
    return `${program} in PATH is of version ${major}, and PostgreSQL of DATABASE_URL of ${source}: ${clients}`
  }
  if (into >= source) return undefined
  return `PostgreSQL of --into is of version ${into}, older than that of DATABASE_URL (${source}): name a database of ${source} or later`
}

async function versionOf(program: string): Promise<string | undefined> {
  const options = { timeout: ANSWER_MS }
  return promisify(execFile)(program, ['--version'], options).then(
    ({ stdout }) => stdout,
    () => undefined,
  )
}
