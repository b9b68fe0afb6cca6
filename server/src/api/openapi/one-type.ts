/** What a keyword of JSON Schema bounds, of those that the contract uses. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  integer: ['minimum', 'maximum'],
}

/**
 * A schema of several types becomes a choice of schemas of one type each: generators of code know no list of
 * types, other than one with null.
 */
export function withOneTypeEach<T>(part: T): T {
  if (Array.isArray(part)) return part.map(withOneTypeEach) as T
  if (typeof part !== 'object' || part === null) return part
  const members = Object.fromEntries(
    Object.entries(part).map(([name, member]) => [name, withOneTypeEach(member)]),
  )
  const { type, ...others } = members
  if (!Array.isArray(type) || type.includes('null')) return members as T

  const bounding = Object.values(KEYWORDS).flat()
  const pick = (wanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(others).filter(([name]) => wanted(name)))
  return {
    ...pick((name) => !bounding.includes(name)),
    anyOf: type.map((each: string) => ({
      type: each,
      ...pick((name) => KEYWORDS[each]?.includes(name) ?? false),
    })),
  } as T
}
