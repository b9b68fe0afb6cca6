import { execFileSync, spawnSync } from 'node:child_process'

/**
 * Installs packages on Debian and its derivatives, as root or with sudo that asks for no password. False if it
 * cannot.
 */
export function installWithApt(packages: readonly string[]): boolean {
  if (spawnSync('apt-get', ['--version']).status !== 0) return false
  const isRoot = process.getuid?.() === 0
  const run = (...args: string[]) =>
    execFileSync(isRoot ? 'apt-get' : 'sudo', isRoot ? args : ['-n', 'apt-get', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  try {
    run('update', '-qq')
    run('install', '-y', '-qq', '--no-install-recommends', ...packages)
    return true
  } catch {
    return false
  }
}
