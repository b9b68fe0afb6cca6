import type { EnvironmentReader } from '../lib/environment.ts'

/**
 * The address of the service, without a slash at its end. The pages ask for `/api` and `/assets` of their own
 * name, so a path would lead nowhere.
 */
export function readPublicUrl(read: EnvironmentReader, fallback: string): string {
  const url = read.url('PUBLIC_URL', { schemes: ['http', 'https'], fallback })
  if (!URL.canParse(url)) return url
  const { pathname, search, hash, username, password } = new URL(url)
  if (pathname + search + hash + username + password !== '/') {
    // Without the value: it may hold a secret.
    read.problems.push(
      'PUBLIC_URL must be scheme, name and port alone: the service needs a name of its own',
    )
  }
  return url
}
