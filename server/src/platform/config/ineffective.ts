/** Shorter names are one letter away from too many others. */
const LENGTH_MIN = 6

type Environment = Readonly<Record<string, string | undefined>>

/**
 * A sentence for each variable that is set but has no effect: its name is one slip away from a setting, or another setting
 * overrules it. `known` are the settings.
 */
export function findIneffective(env: Environment, known: ReadonlySet<string>): readonly string[] {
  const isOverruled = Boolean(env['S3_BUCKET'] && env['STORAGE_DIR'])
  const overruled = 'STORAGE_DIR has no effect: files are in the bucket of S3_BUCKET'
  return [...findMisspelled(env, known), ...(isOverruled ? [overruled] : [])]
}

function findMisspelled(env: Environment, known: ReadonlySet<string>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || name.length < LENGTH_MIN || known.has(name)) return []
    const meant = [...known].find((setting) => isOneSlipAway(name.toUpperCase(), setting))
    return meant === undefined ? [] : [`${name} is no setting and has no effect; ${meant} is one`]
  })
}

/** True if one character is missing, added or different, two are swapped, or only the case differs. */
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
