import { ConfigError } from './config.ts'

/** Converts an error of `listen` to a ConfigError that names the setting, if a setting is the cause. */
export function listenProblem(
  error: unknown,
  { host, port, names }: { host: string; port: number; names: { host: string; port: string } },
): unknown {
  const { code } = error as { code?: unknown }
  if (code === 'EADDRINUSE')
    return new ConfigError([
      `${names.port} ${port} on ${host} is taken by another program: set ${names.port} to a free one`,
    ])
  if (code === 'EACCES')
    return new ConfigError([
      `${names.port} ${port} may not be opened by this user: set ${names.port} to one above 1023`,
    ])
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ConfigError([`${names.host} ${host} is no address of this machine`])
  return error
}
