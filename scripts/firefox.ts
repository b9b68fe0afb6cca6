import { existsSync } from 'node:fs'
import { installWithApt } from '../server/src/local/lib/apt.ts'

/** The paths where distributions and vendors install it. The first one that exists is used. */
const KNOWN_PLACES = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
]

/**
 * The Firefox of this machine: `FIREFOX_PATH`, a known place, or one installed now as `findOrInstallChromium` does.
 * Undefined if there is none and it cannot be installed.
 */
export function findOrInstallFirefox(): string | undefined {
  const found = findFirefox()
  if (found !== undefined) return found
  process.stdout.write('No Firefox found; installing the system package …\n')
  return installWithApt(['firefox-esr']) ? findFirefox() : undefined
}

function findFirefox(): string | undefined {
  const places = [process.env['FIREFOX_PATH'] ?? '', ...KNOWN_PLACES]
  return places.find((place) => existsSync(place))
}
