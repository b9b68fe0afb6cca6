import { randomUUID } from 'node:crypto'
import { RoomServiceClient } from 'livekit-server-sdk'
import { chromium } from 'playwright-core'
import { test as base, inject } from 'vitest'
import { type BrowserClient, type Entry, openClient } from './browser-client.ts'
import { keepArriving } from './mask.ts'
import { deleteRoomIfOpen } from './rooms.ts'
import { signToken, type TokenRequest } from './tokens.ts'

/** A token request for the room of the test, and how the client connects with it. */
export interface JoinOptions extends Partial<Omit<TokenRequest, 'identity'>>, Partial<Entry> {}

export type Join = (identity: string, joining?: JoinOptions) => Promise<BrowserClient>

/** Encoding is most of what the suite costs: small pictures, unless a test is about their size. */
const SMALL_VIDEO = { width: 320, height: 180, frameRate: 15 }

/** The client gives up after 15 s, which says nothing of the server where the machine is busy. */
const PATIENT = { peerConnectionTimeout: 60_000, websocketTimeout: 60_000 }

/** A room of its own for every test; what a test opened is closed after it. */
export const test = base
  .extend('stage', { scope: 'file' }, () => inject('stage'))
  .extend('api', { scope: 'file' }, ({ stage }) => {
    return new RoomServiceClient(stage.url, stage.apiKey, stage.apiSecret)
  })
  .extend('browser', { scope: 'file' }, async ({ stage }, { onCleanup }) => {
    const browser = await chromium.connect(stage.browserEndpoint)
    onCleanup(() => browser.close())
    return browser
  })
  .extend('room', async ({ api }, { onCleanup }) => {
    const name = `acceptance-${randomUUID()}`
    await api.createRoom({ name, emptyTimeout: 300, departureTimeout: 60 })
    onCleanup(() => deleteRoomIfOpen(api, name))
    return name
  })
  .extend('token', ({ stage, room }) => {
    return (identity: string, request: Partial<TokenRequest> = {}): Promise<string> =>
      signToken(stage, { room, identity, ...request })
  })
  .extend('open', ({ stage, browser }, { onCleanup }) => {
    const opened: BrowserClient[] = []
    onCleanup(async () => {
      await Promise.all(opened.map((client) => client.close()))
    })
    return async (): Promise<BrowserClient> => {
      const client = await openClient(browser, stage.pageUrl)
      opened.push(client)
      return client
    }
  })
  .extend('join', ({ stage, open, token }): Join => {
    return async (identity, { url, token: ownToken, options, connect, ...request } = {}) => {
      const client = await open()
      await client.run((page, entry) => page.join(entry), {
        url: url ?? stage.url,
        token: ownToken ?? (await token(identity, request)),
        // Two connections, as the room page uses: the one way that every server here speaks.
        options: {
          singlePeerConnection: false,
          videoCaptureDefaults: { resolution: SMALL_VIDEO },
          ...options,
        },
        connect: { ...PATIENT, ...connect },
      })
      return client
    }
  })
  .extend('mask', ({ stage, room }, { onCleanup }) => {
    const over = new AbortController()
    const masking: Promise<void>[] = []
    onCleanup(async () => {
      over.abort(new Error('the test is over'))
      await Promise.allSettled(masking)
    })
    return (): void => {
      masking.push(keepArriving({ server: stage, room, signal: over.signal }))
    }
  })
