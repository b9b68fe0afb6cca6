/** An answer as it leaves, and as it is kept under an Idempotency-Key: a replay repeats its bytes. */
export interface Answer {
  status: number
  headers: Record<string, string>
  /** Null for 204. */
  body: string | null
}

/** The answer of an operation, before it is written out. */
export interface Outcome {
  status: number
  headers?: Record<string, string>
  /** `data` of the success envelope; absent for 204. */
  data?: unknown
}

export function toAnswer({ status, headers = {}, data }: Outcome): Answer {
  const body = data === undefined ? null : JSON.stringify({ success: true, data })
  return { status, headers, body }
}

/** A request that may carry an Idempotency-Key. */
export interface KeyedRequest {
  tenantId: string
  /** Undefined when the caller sent none: then everything just runs. */
  key: string | undefined
  /** Digest of method, path, query and body: another request with the same key is refused. */
  fingerprint: Buffer
}

export interface KeyedAnswer {
  answer: Answer
  isReplayed: boolean
}
