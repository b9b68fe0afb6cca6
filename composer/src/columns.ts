/** Rows in order; an array if there are few. */
export interface Rows<Row> extends Iterable<Row> {
  readonly length: number
  at: (index: number) => Row | undefined
}

const KINDS = {
  exact: Float64Array,
  /** Below 2^32. */
  count: Uint32Array,
  /** Below 2^16. */
  short: Uint16Array,
  /** Below 2^8. */
  byte: Uint8Array,
  flag: Uint8Array,
} as const

type Kind = keyof typeof KINDS
type Column = InstanceType<(typeof KINDS)[Kind]>
/** The kind of number in each column. */
type KindsOf<Row> = {
  readonly [Key in keyof Row]: Row[Key] extends boolean ? 'flag' : Exclude<Kind, 'flag'>
}

const CAPACITY_AT_FIRST = 1024

/**
 * Rows that are stored as columns of numbers, outside of the heap. An interview of hours has millions of packets. An object for
 * each takes five times as much, and more than the heap allows.
 */
export class Columns<Row extends object> implements Rows<Row> {
  readonly #kinds: readonly (readonly [keyof Row, Kind])[]
  #columns: readonly Column[]
  #capacity = CAPACITY_AT_FIRST
  #length = 0

  constructor(kinds: KindsOf<Row>) {
    this.#kinds = Object.entries(kinds) as [keyof Row, Kind][]
    this.#columns = this.#kinds.map(([, kind]) => new KINDS[kind](this.#capacity))
  }

  get length(): number {
    return this.#length
  }

  push(row: Row): void {
    if (this.#length === this.#capacity) this.#grow()
    this.#kinds.forEach(([key], i) => {
      ;(this.#columns[i] as Column)[this.#length] = Number(row[key])
    })
    this.#length += 1
  }

  /** A copy: changes to it are not kept. */
  at(index: number): Row | undefined {
    const place = index < 0 ? this.#length + index : index
    if (place < 0 || place >= this.#length) return undefined
    const row: Partial<Record<keyof Row, unknown>> = {}
    for (let i = 0; i < this.#kinds.length; i++) {
      const [key, kind] = this.#kinds[i] as readonly [keyof Row, Kind]
      const value = (this.#columns[i] as Column)[place]
      row[key] = kind === 'flag' ? value === 1 : value
    }
    return row as Row
  }

  /** @throws if there is no such row */
  set<Key extends keyof Row>(index: number, key: Key, value: Row[Key]): void {
    const column = this.#columns[this.#kinds.findIndex(([name]) => name === key)]
    if (column === undefined || index >= this.#length) throw new RangeError('there is no such row')
    column[index] = Number(value)
  }

  *[Symbol.iterator](): Generator<Row> {
    for (let i = 0; i < this.#length; i++) yield this.at(i) as Row
  }

  #grow(): void {
    this.#capacity *= 2
    this.#columns = this.#columns.map((column, i) => {
      const [, kind] = this.#kinds[i] as readonly [keyof Row, Kind]
      const grown = new KINDS[kind](this.#capacity)
      grown.set(column)
      return grown
    })
  }
}
