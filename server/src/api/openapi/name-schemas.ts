/**
 * Puts a reference wherever one of the named schemas stands in full. Routes use the schemas
 * themselves, so a document made of them repeats each one at every use.
 */
export function nameSchemas(value: unknown, named: Record<string, unknown>): unknown {
  const names = new Map(
    Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name]),
  )

  function visit(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(visit)
    if (typeof part !== 'object' || part === null) return part
    const name = names.get(JSON.stringify(part))
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
    return membersOf(part)
  }

  function membersOf(part: object): object {
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, visit(member)]))
  }

  return visit(value)
}
