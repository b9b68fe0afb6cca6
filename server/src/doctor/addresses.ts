/** Whether only this machine is reached by that name. */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '[::1]', '::1'].includes(hostname) || hostname.startsWith('127.')
}
