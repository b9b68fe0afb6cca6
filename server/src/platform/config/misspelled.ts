/** Of shorter names, many others are one letter away. */
const LENGTH_MIN = 6

/**
 * A sentence for each variable that is no setting, but one slip away from one: it has no effect, and its default
 * applies. `known` are the settings.
 */
export function findMisspelled(
  env: Readonly<Record<string, string | undefined>>,
  known: ReadonlySet<string>,
): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || name.length < LENGTH_MIN || known.has(name)) return []
    const meant = [...known].find((setting) => isOneSlipAway(name.toUpperCase(), setting))
    return meant === undefined ? [] : [`${name} is no setting and has no effect; ${meant} is one`]
  })
}

/** One character is missing, too many or another one, or two are swapped; or only the case differs. */
function isOneSlipAway(given: string, meant: string): boolean {
  let start = 0
  while (start < meant.length && given[start] === meant[start]) start += 1
  let end = 0
  const endMax = Math.min(given.length, meant.length) - start
  while (end < endMax && given.at(-1 - end) === meant.at(-1 - end)) end += 1
  const left = given.slice(start, given.length - end)
  const right = meant.slice(start, meant.length - end)
  if (Math.max(left.length, right.length) <= 1) return true
  return left.length === 2 && right === `${left[1]}${left[0]}`
}
