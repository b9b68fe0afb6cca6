import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RtcClient } from '@interview-room/media-server/test/support/rtc-client.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished, TestRunner } from 'vitest'
import { type ApiParticipant, connectAgreed, enterByHand } from './api-participant.ts'
import {
  CALM_CAMERA,
  join,
  launchBrowser,
  openAs,
  type Person,
  type Surroundings,
} from './browser.ts'
import { injectFaults } from './faults.ts'
import { makeTenant } from './new-tenant.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import {
  freePort,
  makeDataDir,
  removeDataDir,
  type Service,
  type ServiceOptions,
  startService,
} from './service.ts'
import { sharedBrowser, sharedService } from './shared.ts'
import { actAsTenant, type RoleWord, type Tenant, type TokenOptions } from './tenant.ts'

type Settings = Record<string, string>
type Flags = readonly string[]

interface OwnService {
  /** A function if the settings are known only when it starts. */
  env?: Settings | (() => Settings)
  /** The port of the service; a free one by default. */
  port?: number | undefined
}

export interface TestEnvironmentOptions {
  /**
   * Starts a service for this file only, and acts as its demo tenant, for tests of its start, its end, its settings or its demo
   * tenant. Otherwise the files of a worker share a service, each as a separate tenant.
   */
  ownService?: OwnService
  /** Flags for a separate browser; a function if they name files that must exist first. */
  browserFlags?: Flags | ((env: TestEnvironment) => Promise<Flags>)
  /** False if the tests launch their own browsers. */
  hasBrowser?: boolean
  hasReceiver?: boolean
}

interface Entrant {
  roomId: string
  role: RoleWord
  name: string
  externalId?: string
}

export interface Visit extends Surroundings {
  /** A browser other than the shared one. */
  browser?: Browser
  /** True to keep the page for later tests. */
  staysOpen?: boolean
}

/** The setup for the tests of a file: it exists before the first of them, and is removed after the last. */
export interface TestEnvironment {
  service: Service
  tenant: Tenant
  /** The browser in which people open their pages, unless another one is named. */
  browser: Browser
  /** Receives the tenant's webhooks, if asked for. */
  receiver: Receiver
  /** For files of these tests. */
  folder: string
  /** Starts the service again after a kill, with the same data and ports. Only for an own service. */
  startAgain(): Promise<void>
  /** Launches another browser, which is closed with the environment at the latest. */
  launchBrowser(flags?: Flags, options?: { isFullBrowser?: boolean }): Promise<Browser>
  openLink(link: string, visit?: Visit): Promise<Person>
  /** Opens a person's link, and stays at the device check. The page is closed after the test. */
  open(who: TokenOptions, visit?: Visit): Promise<Person>
  /** Opens a person's link, and enters, with microphone and camera off unless requested. */
  enter(who: TokenOptions, visit?: Visit): Promise<Person>
  /** Enters as a person without a page. */
  enterByHand(who: Entrant): Promise<ApiParticipant>
  /** Lets a person without a page agree to be recorded, and publish video and audio. */
  connectByHand(who: Entrant): Promise<RtcClient>
}

/**
 * A tenant, a service and a browser for the tests of a file, or of the `describe` that calls it. Everything that was started is
 * ended, even if a later part could not start.
 */
export function useTestEnvironment(options: TestEnvironmentOptions = {}): TestEnvironment {
  const cleanup = new AsyncDisposableStack()
  const env = {} as TestEnvironment
  Object.assign(env, entryMethods(env, cleanup), {
    launchBrowser: async (flags: Flags = [], options?: { isFullBrowser?: boolean }) =>
      cleanup.use(await launchBrowser([CALM_CAMERA, ...flags], options)),
  })
  beforeAll(async () => fill(env, options, cleanup))
  afterAll(async () => cleanup.disposeAsync())
  return env
}

async function fill(
  env: TestEnvironment,
  options: TestEnvironmentOptions,
  cleanup: AsyncDisposableStack,
): Promise<void> {
  const { ownService, browserFlags, hasBrowser = true, hasReceiver = false } = options
  env.folder = await mkdtemp(path.join(tmpdir(), 'interview-room-files-'))
  cleanup.defer(() => rm(env.folder, { recursive: true, force: true }))
  await (ownService === undefined
    ? moveIn(env, cleanup)
    : startOwnService(env, ownService, cleanup))
  if (hasReceiver) env.receiver = await openReceiver(env.service, cleanup)
  if (!hasBrowser) return
  const flags = typeof browserFlags === 'function' ? await browserFlags(env) : browserFlags
  env.browser = await (flags === undefined ? sharedBrowser() : env.launchBrowser(flags))
}

/** Acts as a new tenant of the service that the files of this worker share. */
async function moveIn(env: TestEnvironment, cleanup: AsyncDisposableStack): Promise<void> {
  const service = await sharedService()
  const local = await makeTenant(service, 'End to end')
  env.service = { ...service, local }
  env.tenant = actAsTenant(local)
  env.startAgain = () => Promise.reject(new Error('other files use this service too'))
  cleanup.defer(() => injectFaults(env.service, {}))
  // Open rooms would still be observed, and recorded, while other files run.
  cleanup.defer(() => env.tenant.closeAll())
}

async function startOwnService(
  env: TestEnvironment,
  { env: given = {}, port }: OwnService,
  cleanup: AsyncDisposableStack,
): Promise<void> {
  const taken = await takeSettings(typeof given === 'function' ? given() : given, cleanup)
  const settings = port === undefined ? taken : { ...taken, port }
  env.startAgain = async () => {
    env.service = await startService(settings)
    env.tenant = actAsTenant(env.service.local)
  }
  await env.startAgain()
  cleanup.defer(async () => void (await env.service.stop()))
}

async function takeSettings(env: Settings, cleanup: AsyncDisposableStack): Promise<ServiceOptions> {
  const dataDir = await makeDataDir()
  cleanup.defer(() => removeDataDir(dataDir))
  const MEDIA_PORT = String(await freePort())
  return { dataDir, port: await freePort(), env: { MEDIA_PORT, ...env } }
}

async function openReceiver(service: Service, cleanup: AsyncDisposableStack): Promise<Receiver> {
  const receiver = await startReceiver(await freePort())
  cleanup.defer(async () => receiver.down())
  const whose = ['--tenant', service.local.tenant_id, '--url', receiver.url]
  const endpoint = (await service.admin('webhooks', 'set', ...whose)) as { secret: string }
  receiver.secret = endpoint.secret
  return receiver
}

/** True during a test, but not in the hooks around it. */
const isInTest = () => TestRunner.getCurrentTest() !== undefined

function entryMethods(
  env: TestEnvironment,
  cleanup: AsyncDisposableStack,
): Pick<TestEnvironment, 'openLink' | 'open' | 'enter' | 'enterByHand' | 'connectByHand'> {
  const openLink: TestEnvironment['openLink'] = async (
    link,
    { browser = env.browser, staysOpen = false, ...around } = {},
  ) => {
    const person = await openAs(browser, link, around)
    const leave = () => person.context.close()
    // A page that stays open costs work while other tests run.
    if (isInTest() && !staysOpen) onTestFinished(leave)
    else cleanup.defer(leave)
    return person
  }
  const open: TestEnvironment['open'] = async (who, visit) =>
    openLink(await env.tenant.link(who), visit)

  return {
    openLink,
    open,
    async enter(who, visit) {
      const person = await open(who, { hasDevices: false, ...visit })
      await join(person)
      return person
    },
    async enterByHand(who) {
      return enterByHand(env.tenant, { baseUrl: env.service.local.base_url, ...who })
    },
    async connectByHand(who) {
      const client = await connectAgreed(await env.enterByHand(who))
      cleanup.defer(() => client.leave())
      return client
    },
  }
}
