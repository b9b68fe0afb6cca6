/** Rows, and how many the statement read or wrote. */
export type Rows<T extends readonly object[]> = T & { readonly count: number }

// oxlint-disable-next-line typescript/no-explicit-any -- what a row holds is known where the statement is
export type AnyRow = Record<string, any>

/** A statement with `$1`, `$2` … where its values go. */
export interface Written {
  text: string
  values: unknown[]
}

/** A piece of SQL inside of another one. */
export interface Fragment {
  writeInto(out: Written): void
}

/** The result of a tagged template: a piece of SQL for use inside another one, or a statement that runs once it is awaited. */
export class Statement<T extends readonly object[] = AnyRow[]>
  implements Fragment, Promise<Rows<T>>
{
  readonly [Symbol.toStringTag] = 'Statement'
  readonly #strings: readonly string[]
  readonly #values: readonly unknown[]
  readonly #run: (written: Written) => Promise<Rows<T>>
  #running: Promise<Rows<T>> | undefined

  constructor(
    strings: readonly string[],
    values: readonly unknown[],
    run: (written: Written) => Promise<Rows<T>>,
  ) {
    this.#strings = strings
    this.#values = values
    this.#run = run
  }

  writeInto(out: Written): void {
    for (const [index, string] of this.#strings.entries()) {
      out.text += string
      if (index < this.#values.length) writeValue(out, this.#values[index])
    }
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a statement is awaited where it is to run
  then<R = Rows<T>, E = never>(
    onRows?: ((rows: Rows<T>) => R | PromiseLike<R>) | null,
    onError?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    this.#running ??= this.#run(write(this))
    return this.#running.then(onRows, onError)
  }

  catch<E = never>(
    onError?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<Rows<T> | E> {
    return this.then(undefined, onError)
  }

  async finally(onEnd?: (() => void) | null): Promise<Rows<T>> {
    try {
      return await this
    } finally {
      onEnd?.()
    }
  }
}

/** The name of a table or column, quoted. */
export function identifier(name: string): Fragment {
  return {
    writeInto(out) {
      out.text += `"${name.replaceAll('"', '""')}"`
    },
  }
}

/** Raw SQL. Never from outside. */
export function raw(sql: string): Fragment {
  return {
    writeInto(out) {
      out.text += sql
    },
  }
}

const jsonValue = Symbol('json')

/** A value for a column of type json or jsonb. */
export interface Json {
  readonly [jsonValue]: string
}

/** `null` is the database's null, not JSON's. */
export function json(value: unknown): Json | null {
  return value === null ? null : { [jsonValue]: JSON.stringify(value) }
}

export function write(fragment: Fragment): Written {
  const out: Written = { text: '', values: [] }
  fragment.writeInto(out)
  return out
}

function writeValue(out: Written, value: unknown): void {
  if (value === undefined) throw new TypeError('a statement was given undefined for a value')
  if (isFragment(value)) {
    value.writeInto(out)
    return
  }
  out.values.push(isJson(value) ? value[jsonValue] : value)
  out.text += `$${out.values.length}`
}

function isFragment(value: unknown): value is Fragment {
  return typeof value === 'object' && value !== null && 'writeInto' in value
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && jsonValue in value
}

/** A 64-bit integer of the database as a JavaScript number; a defect when it is not exact. */
export function toSafeInteger(value: bigint | number | string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new Error('integer of the database is not safe')
  return number
}
