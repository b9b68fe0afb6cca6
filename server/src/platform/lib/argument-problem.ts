/** The complaint of `parseArgs` about a command line, in one sentence; undefined for errors of another kind. */
export function argumentProblem(error: unknown): string | undefined {
  if (!(error instanceof TypeError) || !('code' in error)) return undefined
  const named = /'(?:-\w, )?(-[^' ]*|[^']*)/.exec(error.message)?.[1] ?? ''
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `there is no option ${named}`
  if (error.code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return `unexpected "${named}"`
  if (error.code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return undefined
  if (error.message.includes('does not take')) return `${named} takes no value`
  if (!error.message.includes('ambiguous')) return `${named} needs a value`
  return `${named} needs a value; one that begins with "-" is written ${named}=<value>`
}
