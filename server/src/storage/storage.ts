/** The object storage. Every call has a timeout. */
export interface Storage {
  /** Answers when objects can be stored. For readiness. */
  check(): Promise<void>
}
