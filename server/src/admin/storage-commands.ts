import { deleteUnnamed } from '../domain/monitoring/delete-unnamed.ts'
import {
  type ChosenObjects,
  listUnnamed,
  markKept,
  UNNAMED_LIFE_MS,
} from '../platform/storage/differences.ts'
import { UsageError } from './command-error.ts'
import type { Answer, Command } from './command.ts'
import type { Options } from './options.ts'

const LIMIT_DEFAULT = 50
const UNKNOWN = 'unknown'
const CHOICE = ['--key <key...>', '--held']

function chosenBy(options: Options): ChosenObjects {
  const keys = options.texts('key')
  if (options.flag('held') === keys.length > 0) throw new UsageError('give either --key or --held')
  return keys.length > 0 ? keys : 'held'
}

/** One line for each object. A key that the last daily look did not find is unknown, as after a typing error. */
function decided(chosen: ChosenObjects, states: Record<string, readonly string[]>): Answer {
  const known = Object.entries(states).flatMap(([state, keys]) =>
    keys.map((key) => ({ key, state })),
  )
  const isUnknown = (key: string) => !known.some((each) => each.key === key)
  const unknown = chosen === 'held' ? [] : chosen.filter(isUnknown)
  return [...known, ...unknown.map((key) => ({ key, state: UNKNOWN }))]
}

const hasUnknown = (answer: Answer): boolean =>
  (answer as { state: string }[]).some(({ state }) => state === UNKNOWN)

/** Objects that no row names, as the last daily look found them. */
export const STORAGE_COMMANDS: Record<string, Command> = {
  '': {
    takes: ['--limit <n>'],
    summary:
      'Objects that no row names: held until a person decides, kept, or deleted after 30 days.',
    async run({ db }, options) {
      const objects = await listUnnamed(db, options.count('limit', LIMIT_DEFAULT))
      return objects.map(({ key, foundAt, isHeld, keptAt }) => ({
        key,
        state: keptAt !== null ? 'kept' : isHeld ? 'held' : 'waiting',
        found_at: foundAt.toISOString(),
        kept_at: keptAt?.toISOString() ?? null,
        deleted_at: isHeld ? null : new Date(foundAt.getTime() + UNNAMED_LIFE_MS).toISOString(),
      }))
    },
  },
  keep: {
    takes: CHOICE,
    summary:
      'Keep unnamed objects until you delete them, and end their alarm; --held for all that are held.',
    async run({ db, clock }, options) {
      const chosen = chosenBy(options)
      return decided(chosen, { kept: await markKept(db, chosen, clock()) })
    },
    hasFailed: hasUnknown,
  },
  delete: {
    takes: CHOICE,
    summary:
      'Delete unnamed objects now, unless a row names them again; --held for all that are held.',
    async run({ db }, options) {
      const chosen = chosenBy(options)
      return decided(chosen, await deleteUnnamed(db, chosen))
    },
    hasFailed: hasUnknown,
  },
}
