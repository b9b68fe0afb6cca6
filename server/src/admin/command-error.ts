/** Wrong use of the command line: exit code 2, and where to look. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** A command that was understood and cannot be carried out: exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError'
}
