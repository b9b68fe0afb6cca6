import { DatabaseError } from 'pg'
import { SharedSession } from './own-session.ts'
import { OldPostgres, POSTGRES_MAJOR_MIN } from './postgres-version.ts'
import { DatabaseLost } from './unavailable.ts'

type Sentence = (place: { name: string; host: string; database: string }) => string

const ABSENT: Sentence = ({ name, host }) =>
  `nothing answers at ${host}, where ${name} leads: start PostgreSQL, or correct the address`
const SILENT: Sentence = ({ name, host }) =>
  `PostgreSQL at ${host}, where ${name} leads, does not answer: check the address and the network between`
const UNKNOWN_HOST: Sentence = ({ name, host }) =>
  `the name of ${host} in ${name} cannot be resolved: correct it, or check DNS`
const UNTRUSTED: Sentence = ({ name, host }) =>
  `the certificate of PostgreSQL at ${host} has expired or is not trusted: renew it, or name its authority in sslrootcert of ${name}`
const NO_TLS: Sentence = ({ name, host }) =>
  `PostgreSQL at ${host} offers no TLS, which ${name} asks for by sslmode: turn it on there, or correct sslmode`
const REFUSED: Sentence = ({ name, host }) =>
  `PostgreSQL at ${host} refuses the user of ${name}: correct user and password, or pg_hba.conf`
const NO_DATABASE: Sentence = ({ name, host, database }) =>
  `PostgreSQL at ${host} has no database "${database}", which ${name} names: create it, or correct the name`
const READ_ONLY: Sentence = ({ name, host }) =>
  `PostgreSQL at ${host} only reads: ${name} must lead to the primary`
const FULL: Sentence = ({ name, host }) =>
  `PostgreSQL at ${host} has no connection left for ${name}: raise max_connections, or lower DATABASE_POOL_SIZE`
const NO_RIGHT: Sentence = ({ name, database }) =>
  `the user of ${name} may not change the schema: make it the owner of the database "${database}"`

const NO_EXTENSION: Sentence = ({ host }) =>
  `PostgreSQL at ${host} lacks the extension pg_trgm: install the package with its additional modules (postgresql-contrib)`

/** Timeout messages of `pg`. Other errors have timeouts, too. */
const SILENCE =
  /^(?:timeout expired|timeout exceeded when trying to connect|Query read timeout|Connection terminated due to connection timeout)/

const POOLED: Sentence = ({ name, host }) =>
  `what answers at ${host} is a pooler that does not take the settings of a connection: ${name} must lead to PostgreSQL itself`
const SHARED: Sentence = ({ name, host }) =>
  `what answers at ${host} is a pooler in transaction mode: ${name} must lead to PostgreSQL itself, or to a pooler in session mode`

const oldVersion =
  (major: number): Sentence =>
  ({ name, host }) =>
    `PostgreSQL at ${host} is of version ${major}: ${name} must lead to ${POSTGRES_MAJOR_MIN} or later`

/** By the error code of the network or the SQLSTATE; a class by its first two characters. */
const SENTENCES: Record<string, Sentence> = {
  ECONNREFUSED: ABSENT,
  EHOSTUNREACH: SILENT,
  ENETUNREACH: SILENT,
  ETIMEDOUT: SILENT,
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  '28': REFUSED,
  '3D': NO_DATABASE,
  '25006': READ_ONLY,
  '53300': FULL,
  '08P01': POOLED,
  '42501': NO_RIGHT,
}

/**
 * The problem of a connection to PostgreSQL or with its user, in one sentence that names the setting and never the password;
 * undefined for errors of another kind. `name` is the setting with the address.
 */
export function connectProblem(
  error: unknown,
  url: string,
  name = 'DATABASE_URL',
): string | undefined {
  const sentence = sentenceFor(error)
  if (sentence === undefined || !URL.canParse(url)) return undefined
  const { host, pathname } = new URL(url)
  return sentence({ name, host, database: decodeURIComponent(pathname.slice(1)) })
}

function sentenceFor(error: unknown): Sentence | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof OldPostgres) return oldVersion(error.major)
  if (error instanceof SharedSession) return SHARED
  if (error instanceof DatabaseLost && error.isReadOnly) return READ_ONLY
  const { code } = error as { code?: unknown }
  const found = typeof code === 'string' ? (SENTENCES[code] ?? stateSentence(error)) : undefined
  if (found !== undefined) return found
  if (isOfCertificate(error)) return UNTRUSTED
  // A pool's message quotes its cause.
  if (error.cause !== undefined) return sentenceFor(error.cause)
  if (/extension "pg_trgm" is not available/.test(error.message)) return NO_EXTENSION
  // Errors of `pg` without a code.
  if (/does not support SSL/.test(error.message)) return NO_TLS
  return SILENCE.test(error.message) ? SILENT : undefined
}

/** True for a TLS certificate error, also if a pool wraps it. */
export function isOfCertificate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (
    (typeof code === 'string' && /CERT|LEAF_SIGNATURE/.test(code)) || isOfCertificate(error.cause)
  )
}

/** The SQLSTATE with which PostgreSQL refused, also if a pool wraps it. */
export function refusalState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof DatabaseError ? error.code : refusalState(error.cause)
}

function stateSentence(error: Error): Sentence | undefined {
  return error instanceof DatabaseError ? SENTENCES[error.code?.slice(0, 2) ?? ''] : undefined
}
