/**
 * The database could not be asked: it is away, has no connection free in time, or the connection
 * broke. What was asked may have been done, where it had been sent.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** It is known to be away, which the log says when it begins: what fails of it needs no line of its own. */
export class DatabaseLost extends DatabaseUnavailable {
  /** It answers, but takes no writes: a standby, or a primary that was made one. */
  readonly isReadOnly: boolean

  /** `cause`: what PostgreSQL, or the way to it, said at last. */
  constructor(isReadOnly = false, options?: ErrorOptions) {
    super(isReadOnly ? 'the database only reads' : 'the database is lost', options)
    this.isReadOnly = isReadOnly
  }
}

/** Too many callers of the same name wait for a connection. */
export class NoSlotError extends DatabaseUnavailable {
  readonly slot: string

  constructor(slot: string) {
    super(`too many wait for ${slot}`)
    this.slot = slot
  }
}

/** Thrown if no slot is free: the transaction ends, waits without a connection and starts again. */
export class SlotTaken extends Error {
  readonly slot: string
  readonly waitMs: number | undefined

  constructor(slot: string, waitMs: number | undefined) {
    super(`no free slot: ${slot}`)
    this.slot = slot
    this.waitMs = waitMs
  }
}
