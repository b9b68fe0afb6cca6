import type { ClientFacts } from '@interview-room/contract/connection-tests.ts'

/** Details that Chromium reports on request, beyond its User-Agent header. */
interface ClientHints {
  platform: string
  mobile: boolean
  getHighEntropyValues(names: string[]): Promise<{ platformVersion?: string }>
}

export interface HintingNavigator {
  userAgent: string
  maxTouchPoints: number
  userAgentData?: ClientHints
}

/** From this platform version on, a system that calls itself Windows 10 is Windows 11. */
const WINDOWS_11_FROM = 13

/** Facts that the page knows better than the User-Agent header. */
export async function clientFactsOf(navigator: HintingNavigator): Promise<Partial<ClientFacts>> {
  // An Apple tablet identifies itself as a desktop computer.
  const isTablet = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1
  const hints = navigator.userAgentData
  if (hints === undefined) return isTablet ? tabletOf(navigator) : {}
  const values = await hints.getHighEntropyValues(['platformVersion']).catch(() => undefined)
  const version = versionOf(hints.platform, values?.platformVersion ?? '')
  return {
    is_mobile: hints.mobile,
    ...(version === '' ? {} : { platform_version: version.slice(0, 64) }),
  }
}

/** Safari on it has the version number of the system. */
function tabletOf({ userAgent }: HintingNavigator): Partial<ClientFacts> {
  const [, version] = /Version\/([\d.]{1,16}) .*Safari/.exec(userAgent) ?? []
  return {
    platform_name: 'iPadOS',
    is_mobile: true,
    ...(version === undefined ? {} : { platform_version: version }),
  }
}

function versionOf(platform: string, version: string): string {
  if (platform !== 'Windows') return version
  const major = Number.parseInt(version, 10)
  if (Number.isNaN(major) || major === 0) return ''
  return major >= WINDOWS_11_FROM ? '11' : '10'
}
