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
  /** A function where they are known only when it starts. */
  env?: Settings | (() => Settings)
  /** Where it listens; a free port by default. */
  port?: number | undefined
}

export interface TestEnvironmentOptions {
  /**
   * A service for this file alone, which acts as its demo tenant: where its start, its end, its settings
   * or its demo tenant are the subject. Otherwise the files of a worker share one, each as a tenant of its own.
   */
  ownService?: OwnService
  /** For a browser of its own; a function where they name what must be there first. */
  browserFlags?: Flags | ((env: TestEnvironment) => Promise<Flags>)
  /** False where the tests launch browsers of their own. */
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
  /** For the tests after the one that opens the page, too. */
  staysOpen?: boolean
}

/** What the tests of a file act on: there before the first of them, and gone after the last. */
export interface TestEnvironment {
  service: Service
  tenant: Tenant
  /** In which people open their pages, unless another one is named. */
  browser: Browser
  /** Receives the tenant's webhooks, if asked for. */
  receiver: Receiver
  /** For files of these tests. */
  folder: string
  /** After a kill: on the same data, at the same ports. Only of an own service. */
  startAgain(): Promise<void>
  /** Another browser, closed with the environment at the latest. */
  launchBrowser(flags?: Flags, options?: { isFullBrowser?: boolean }): Promise<Browser>
  openLink(link: string, visit?: Visit): Promise<Person>
  /** Opens the link of somebody, and stays at the device check; a page of a test is closed after it. */
  open(who: TokenOptions, visit?: Visit): Promise<Person>
  /** Opens the link of somebody, and comes in: with microphone and camera off, unless asked for. */
  enter(who: TokenOptions, visit?: Visit): Promise<Person>
  /** Somebody comes in without a page. */
  enterByHand(who: Entrant): Promise<ApiParticipant>
  /** Somebody without a page agrees to be recorded, and can publish video and audio. */
  connectByHand(who: Entrant): Promise<RtcClient>
}

/**
 * A tenant, a service and a browser for the tests of a file, or of the `describe` that calls it.
 * Whatever has begun is ended, also when something after it could not begin.
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

/** As a new tenant of the service that the files of this worker share. */
async function moveIn(env: TestEnvironment, cleanup: AsyncDisposableStack): Promise<void> {
  const service = await sharedService()
  const local = await makeTenant(service, 'End to end')
  env.service = { ...service, local }
  env.tenant = actAsTenant(local)
  env.startAgain = () => Promise.reject(new Error('other files use this service too'))
  cleanup.defer(() => injectFaults(env.service, {}))
  // Open rooms would still be watched, and recorded, while other files run.
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

/** Of a test, and not of the hooks around it. */
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
    // A page that stays open is work for the machine while other tests run.
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
