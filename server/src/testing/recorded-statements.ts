import type { Db } from '../platform/db/db.ts'

/** A statement as it was sent, with `$1`, `$2` … where its values go. */
export interface Sent {
  text: string
  values: readonly unknown[]
}

interface PlanNode {
  type: string
  table: string
  index: string
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

/** How the database would run a statement now; nothing is run. */
export async function explain(db: Db, { text, values }: Sent): Promise<PlanNode[]> {
  const pieces = text.split(/\$(\d+)/)
  const strings = pieces.filter((_, at) => at % 2 === 0)
  const numbers = pieces.filter((_, at) => at % 2 === 1)
  strings[0] = `explain (format json) ${strings[0]}`
  const template = Object.assign(strings, { raw: strings })
  const rows = await db(template, ...numbers.map((n) => values[Number(n) - 1]))
  const plans = rows.flatMap((row) => Object.values(row).flat()) as { Plan: RawPlan }[]
  return plans.flatMap(({ Plan }) => nodesOf(Plan))
}

function nodesOf(plan: RawPlan): PlanNode[] {
  const own = {
    type: plan['Node Type'],
    table: plan['Relation Name'] ?? '',
    index: plan['Index Name'] ?? '',
    hasCondition: plan['Index Cond'] !== undefined,
  }
  return [own, ...(plan.Plans ?? []).flatMap((each) => nodesOf(each))]
}
