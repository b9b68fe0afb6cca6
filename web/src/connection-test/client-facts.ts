import type { ClientFacts } from '@interview-room/contract/connection-tests.ts'

/** Chromium reports more than its User-Agent header, on request. */
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

/** From here on the system that calls itself Windows 10 is Windows 11. */
const WINDOWS_11_FROM = 13

/** What the page knows better than the header that the service sees. */
export async function clientFactsOf(navigator: HintingNavigator): Promise<Partial<ClientFacts>> {
  // A tablet of Apple calls itself a desktop computer.
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

/** Its Safari comes with the system, under the same number. */
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
