import type { Db } from '../db/db.ts'

/** A statement as its template was called. */
export interface Called {
  text: string
  /** What the database makes of it now: the plans of its nodes, without running it. */
  explain(): Promise<PlanNode[]>
}

export interface PlanNode {
  type: string
  table: string | undefined
  index: string | undefined
  /** False when an index is walked from end to end. */
  hasCondition: boolean
}

interface RawPlan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: RawPlan[]
}

type Tag = (strings: TemplateStringsArray, ...values: unknown[]) => unknown

/** The same database, and every statement that is sent by it, also inside of transactions. */
export function recordingDb(db: Db): { db: Db; statements: () => Called[] } {
  const calls: { strings: TemplateStringsArray; values: unknown[]; made: unknown }[] = []

  function wrap<T extends object>(query: T): T {
    return new Proxy(query, {
      apply(target, self, args: [TemplateStringsArray, ...unknown[]]) {
        const made: unknown = Reflect.apply(target as unknown as Tag, self, args)
        const [strings, ...values] = args
        if (Array.isArray(strings) && 'raw' in strings) calls.push({ strings, values, made })
        return made
      },
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (name !== 'begin' && name !== 'savepoint') return value
        const open = value as (work: (tx: object) => unknown) => unknown
        return (work: (tx: object) => unknown) => open.call(target, (tx) => work(wrap(tx)))
      },
    })
  }

  return {
    db: wrap(db),
    statements() {
      // What became a part of another one was not sent by itself.
      const parts = new Set(calls.flatMap(({ values }) => values))
      return calls
        .filter(({ made }) => !parts.has(made))
        .map(({ strings, values }) => ({
          text: strings.join('$').replaceAll(/\s+/g, ' ').trim(),
          explain: () => explain(db, strings, values),
        }))
    },
  }
}

async function explain(
  db: Db,
  strings: TemplateStringsArray,
  values: unknown[],
): Promise<PlanNode[]> {
  const [first = '', ...rest] = strings
  const texts = [`explain (format json) ${first}`, ...rest]
  const template = Object.assign(texts, { raw: texts })
  const rows = (await (db as unknown as Tag)(template, ...values)) as Record<
    string,
    { Plan: RawPlan }[]
  >[]
  const plans = rows.flatMap((row) => Object.values(row).flat())
  return plans.flatMap(({ Plan }) => nodesOf(Plan))
}

function nodesOf(plan: RawPlan): PlanNode[] {
  const own = {
    type: plan['Node Type'],
    table: plan['Relation Name'],
    index: plan['Index Name'],
    hasCondition: plan['Index Cond'] !== undefined,
  }
  return [own, ...(plan.Plans ?? []).flatMap((each) => nodesOf(each))]
}
