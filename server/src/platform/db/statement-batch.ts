import pg, { type CustomTypesConfig, Query, type QueryConfig, type QueryResult, Result } from 'pg'

/** A prepared statement, which PostgreSQL recognises by its name. */
export type NamedStatement = QueryConfig & { name: string; values: unknown[] }

/** The driver's result, with the members by which it reads rows. */
interface DriverResult extends QueryResult {
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
  addFields(fields: QueryResult['fields']): void
  parseRow(values: unknown[]): object
  addCommandComplete(message: object): void
}

/** The columns of a statement, and how their values are read. */
type Columns = Pick<DriverResult, 'fields' | '_parsers' | '_prebuiltEmptyResultObject'>

/** The driver's connection, as its own queries use it. */
interface DriverConnection {
  stream: { cork(): void; uncork(): void }
  /** By name: parsed, and sent to be parsed. */
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: unknown[] }): void
  describe(portal: { type: 'P' }): void
  execute(): void
  sync(): void
}

/** The driver's query; to its client, a batch is one. */
const DriverQuery = Query as unknown as new (text: string) => {
  name: string | undefined
  text: string
}

const NewResult = Result as unknown as new (
  mode: undefined,
  types: CustomTypesConfig,
) => DriverResult

/** Serialises a value as the driver does. */
const { prepareValue } = (
  pg as unknown as { utils: { prepareValue(this: void, value: unknown): unknown } }
).utils

/** The described columns of each connection's statements, by the statement's name. */
const described = new WeakMap<DriverConnection, Map<string, Columns>>()

interface QueuedStatement {
  statement: NamedStatement
  /** Values as the driver serialises them. */
  values: unknown[]
  answer: PromiseWithResolvers<QueryResult>
}

/**
 * Statements that are sent to PostgreSQL together and answered together: it flushes its answers once per batch, and we read
 * once. They run in order. After the first failure none runs, and all of them fail with it, except a begin. Outside of a
 * transaction, the batch is a transaction of its own.
 *
 * Columns are described once on a connection, because that is half the traffic of a small statement. They stay the same as
 * long as the statement is prepared: if a migration has changed them, PostgreSQL refuses it (0A000).
 */
export class StatementBatch extends DriverQuery {
  readonly #types: CustomTypesConfig
  readonly #queued: QueuedStatement[] = []
  /** The queued statements that are sent to PostgreSQL. */
  #sent: readonly QueuedStatement[] = []
  /** The results of complete statements, and the one that is being received. */
  readonly #results: DriverResult[] = []
  #columns = new Map<string, Columns>()
  #failure: unknown

  constructor(types: CustomTypesConfig) {
    super('')
    this.#types = types
  }

  add(statement: NamedStatement): Promise<QueryResult> {
    // Checked before anything is sent: a value that cannot be serialised fails only its own statement.
    const values = statement.values.map(prepareValue)
    const answer = Promise.withResolvers<QueryResult>()
    this.#queued.push({ statement, values, answer })
    return answer.promise
  }

  submit(connection: DriverConnection): null {
    this.#columns = columnsOn(connection)
    this.#sent = withoutBounds(this.#queued)
    connection.stream.cork()
    for (const { statement, values } of this.#sent) {
      const { name, text } = statement
      if (!isParsed(connection, name)) {
        connection.parse({ name, text })
        connection.submittedNamedStatements[name] = text
      }
      connection.bind({ statement: name, values })
      if (!this.#columns.has(name)) connection.describe({ type: 'P' })
      connection.execute()
    }
    connection.sync()
    connection.stream.uncork()
    this.#next()
    return null
  }

  handleRowDescription({ fields }: { fields: QueryResult['fields'] }): void {
    this.#results.at(-1)?.addFields(fields)
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    const result = this.#results.at(-1)
    try {
      if (result !== undefined) result.rows.push(result.parseRow(fields))
    } catch (error) {
      this.#failure ??= error
    }
  }

  handleCommandComplete(message: object): void {
    const result = this.#results.at(-1)
    if (result === undefined || this.name === undefined) return
    result.addCommandComplete(message)
    if (!this.#columns.has(this.name)) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = result
      this.#columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    }
    if (this.#results.length < this.#sent.length) this.#next()
  }

  /** Handles an error of a statement, or of the connection. */
  handleError(error: unknown, connection: DriverConnection): void {
    const complete = Math.max(this.#results.length - 1, 0)
    // The statements after it were not parsed either.
    for (const { statement } of this.#sent.slice(complete)) {
      delete connection.submittedNamedStatements[statement.name]
    }
    this.#fail(error, complete)
  }

  handleReadyForQuery(): void {
    if (this.#failure !== undefined) {
      this.#fail(this.#failure, this.#sent.length)
      return
    }
    const results: QueryResult[] =
      this.#sent === this.#queued
        ? this.#results
        : [withoutRows('BEGIN'), ...this.#results, withoutRows('COMMIT')]
    for (const [at, { answer }] of this.#queued.entries()) {
      answer.resolve(results[at] as QueryResult)
    }
  }

  /** The client remembers parsed statements by name and text. */
  #next(): void {
    const { statement } = this.#sent[this.#results.length] as QueuedStatement
    this.name = statement.name
    this.text = statement.text
    const result = new NewResult(undefined, this.#types)
    Object.assign(result, this.#columns.get(statement.name))
    this.#results.push(result)
  }

  #fail(error: unknown, complete: number): void {
    const [first] = this.#sent
    // A transaction that has begun must be rolled back, so its begin succeeds.
    if (complete > 0 && first?.statement.text.startsWith('begin') === true) {
      first.answer.resolve(this.#results[0] as QueryResult)
    }
    for (const { answer } of this.#queued) answer.reject(error)
  }
}

function withoutRows(command: string): QueryResult {
  return { command, rows: [], rowCount: null, oid: 0, fields: [] }
}

/** Drops the begin and the commit of a complete transaction, because the batch itself is one. */
function withoutBounds(queued: readonly QueuedStatement[]): readonly QueuedStatement[] {
  const isTransaction =
    queued.length > 2 &&
    queued[0]?.statement.text === 'begin' &&
    queued.at(-1)?.statement.text === 'commit'
  return isTransaction ? queued.slice(1, -1) : queued
}

function columnsOn(connection: DriverConnection): Map<string, Columns> {
  const known = described.get(connection)
  if (known !== undefined) return known
  const columns = new Map<string, Columns>()
  described.set(connection, columns)
  return columns
}

function isParsed(
  { parsedStatements, submittedNamedStatements }: DriverConnection,
  name: string,
): boolean {
  return parsedStatements[name] !== undefined || submittedNamedStatements[name] !== undefined
}

export function isNamed(statement: QueryConfig): statement is NamedStatement {
  return statement.name !== undefined && Array.isArray(statement.values)
}
