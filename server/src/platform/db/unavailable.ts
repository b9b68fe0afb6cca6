/**
 * The database could not be asked: it is away, has no connection free in time, or the connection
 * broke. What was asked may have been done, where it had been sent.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}
