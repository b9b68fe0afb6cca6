import type { Browser } from 'playwright-core'
import { inject } from 'vitest'
import { CALM_CAMERA, launchBrowser } from './browser.ts'
import { describeService, type Service } from './service.ts'

/** The parts that the files of one worker share. The first file starts them. */
interface SharedParts {
  service?: Promise<Service>
  browser?: Promise<Browser>
}

const kept = globalThis as typeof globalThis & { e2eShared?: SharedParts }
const shared = (kept.e2eShared ??= {})

export function sharedService(): Promise<Service> {
  return (shared.service ??= askForService())
}

/** A worker's data about a service that was started for it. */
export type StartedService = Pick<Service, 'local' | 'dataDir' | 'outputFile'>

const refuse = () => Promise.reject(new Error('other files use this service too'))

async function askForService(): Promise<Service> {
  const answer = await fetch(inject('serviceDesk'), { method: 'POST' })
  if (!answer.ok) throw new Error(await answer.text())
  const started = (await answer.json()) as StartedService
  return { ...describeService(started), stop: refuse, kill: refuse }
}

/** If a file's tests have ended the browser, the next file only has to start it again. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await (shared.browser ??= launchBrowser([CALM_CAMERA]))
  if (browser.isConnected()) return browser
  return (shared.browser = launchBrowser([CALM_CAMERA]))
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers a POST with a service that is ready, for one worker. */
    serviceDesk: string
  }
}
