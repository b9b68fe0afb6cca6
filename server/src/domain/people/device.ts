import type { EntryRequest } from '@interview-room/contract/live-entry.ts'
import { parse } from 'bowser'

/** "Device measurement" of EntryHistory. Null where the browser does not report a value. */
export interface Device {
  browserName: string | null
  browserVersion: string | null
  platformName: string | null
  platformVersion: string | null
}

const TEXT_MAX = 64
/** Headers are up to 16 KB long. */
const PARSED_MAX = 500
const parsedBefore = new Map<string, ReturnType<typeof parse>>()
/** Browsers on newer systems still send this version, so it says nothing. */
const FROZEN_MACOS = /^10\.15(?:\.7)?$/

/** Combines the User-Agent header with the values that the page itself found out. */
export function deviceOf(
  userAgent: string | undefined,
  reported: EntryRequest['device'] = {},
): Device {
  const { browser, os } = parsed(userAgent || ' ')
  return {
    browserName: textOf(reported.browser_name, browser.name),
    browserVersion: textOf(reported.browser_version, browser.version),
    platformName: textOf(reported.platform_name, os.name),
    platformVersion: textOf(reported.platform_version, versionOf(os)),
  }
}

/** Cached, because many people use the same browser. */
function parsed(userAgent: string): ReturnType<typeof parse> {
  const known = parsedBefore.get(userAgent)
  if (known !== undefined) return known
  const result = parse(userAgent)
  if (parsedBefore.size >= PARSED_MAX) parsedBefore.clear()
  parsedBefore.set(userAgent, result)
  return result
}

function versionOf({ name, version }: { name?: string; version?: string }): string | undefined {
  const isFrozen = name === 'macOS' && FROZEN_MACOS.test(version ?? '')
  return isFrozen ? undefined : version
}

/** The browser sends both, so they may be long or unprintable. */
function textOf(reported: string | undefined, parsed: string | undefined): string | null {
  const text = (reported ?? parsed ?? '').replaceAll(/[^\p{L}\p{N}\p{P}\p{Zs}\p{S}]/gu, '').trim()
  return text === '' ? null : text.slice(0, TEXT_MAX)
}
