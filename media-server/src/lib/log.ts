export interface LogEntry {
  level: 'info' | 'warn' | 'error'
  msg: string
  [field: string]: unknown
}

export type Log = (entry: LogEntry) => void

export const silentLog: Log = () => {}

/** Text of a thrown value for the log, never its payload. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
