import { existsSync } from 'node:fs'
import { installWithApt } from '../server/src/local/lib/apt.ts'

/** The paths where distributions and vendors install it. The first one that exists is used. */
const KNOWN_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The Chromium of this machine: `CHROMIUM_PATH`, a known path, or one installed now with the system's package manager
 * (Debian and its derivatives, as root or with sudo that asks for no password).
 */
export function findOrInstallChromium(): string {
  const found = findChromium()
  if (found !== undefined) return found

  process.stdout.write('No Chromium found; installing the system package …\n')
  if (!installWithApt(['chromium'])) {
    throw new Error('The browser tests need Chromium: install it, or set CHROMIUM_PATH.')
  }
  const installed = findChromium()
  if (installed === undefined) throw new Error('The chromium package brought no browser.')
  return installed
}

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/**
 * The headless shell of the same Chromium. A page costs a fifth of the work in it. Undefined if there is no such
 * binary, or if CHROMIUM_PATH asks for another browser.
 */
export function findOrInstallHeadlessShell(): string | undefined {
  if ((process.env['CHROMIUM_PATH'] ?? '') !== '') return undefined
  const isThere = existsSync(HEADLESS_SHELL) || installWithApt(['chromium-headless-shell'])
  return isThere && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : undefined
}

function findChromium(): string | undefined {
  const asked = process.env['CHROMIUM_PATH']
  if (asked !== undefined && asked !== '') {
    if (existsSync(asked)) return asked
    throw new Error('CHROMIUM_PATH names no file.')
  }
  return KNOWN_PLACES.find((place) => existsSync(place))
}
