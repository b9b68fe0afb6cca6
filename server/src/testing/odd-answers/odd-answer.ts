import type { Vendor } from '../../platform/config/vendors.ts'

/** An answer that is not as its vendor's document says, for an audio of 14 seconds. */
export interface OddAnswer {
  vendor: Vendor
  says: string
  /** JSON, or another text. */
  answer: string
  language?: string
  /** The text that is read; or the answer is asked for again; or it is refused. */
  expected: string | typeof ASKED_AGAIN | typeof REFUSED
}

export const ODD_AUDIO_SEC = 14
export const ASKED_AGAIN = Symbol('asked again')
export const REFUSED = Symbol('refused')

type Row = readonly [
  says: string,
  answer: object | string,
  expected: OddAnswer['expected'],
  language?: string,
]

export const rowsOf = (vendor: Vendor, rows: readonly Row[]): OddAnswer[] =>
  rows.map(([says, answer, expected, language]) => ({
    vendor,
    says,
    answer: typeof answer === 'string' ? answer : JSON.stringify(answer),
    expected,
    ...(language !== undefined && { language }),
  }))
