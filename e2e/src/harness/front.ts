import { readFile } from 'node:fs/promises'
import type { TestS3 } from '@interview-room/server/src/platform/storage/testing/s3-server.ts'
import { startBalancer } from './balancer.ts'
import { freePort } from './service.ts'
import { API_HOSTS, startTlsProxy, type TlsProxy, trust } from './tls-proxy.ts'

/** The proxy in front of the processes, and the addresses by which people reach them. */
export interface Front {
  /** Addresses at which the api processes listen. */
  apiHosts: readonly string[] | undefined
  apiPort: number
  publicUrl: string
  /** The address for notifications of the media server and the recorders. */
  notificationsUrl: string
  /** Settings of every process of the service. */
  settings: Record<string, string>
  /** Undefined if the machine has no proxy: then nothing is encrypted. */
  proxy: TlsProxy | undefined
  /** Sets the targets once the processes are known. */
  leadTo(bases: readonly string[]): void
}

interface Behind {
  s3: TestS3
  mediaPort: number
  hasProxy: boolean
  /** The port at which notifications arrive; a free one unless somebody else has chosen it. */
  port: number | undefined
}

/** The proxy of compose.yaml, or a balancer without TLS where there is no proxy. */
export async function startFront(behind: Behind, cleanup: AsyncDisposableStack): Promise<Front> {
  return behind.hasProxy ? startWithTls(behind, cleanup) : startPlain(behind, cleanup)
}

async function startWithTls(
  { s3, mediaPort, port }: Behind,
  cleanup: AsyncDisposableStack,
): Promise<Front> {
  const apiPort = port ?? (await freePort())
  const objectsPort = Number(new URL(s3.config.endpoint ?? '').port)
  const proxy = await startTlsProxy({ apiPort, objectsPort, livekitPort: mediaPort })
  cleanup.defer(() => proxy.close())
  cleanup.defer(trust(await readFile(proxy.authorityFile, 'utf8')))
  return {
    apiHosts: API_HOSTS,
    apiPort,
    publicUrl: `https://${proxy.domain}`,
    // Inside, as in compose.yaml: one name for all api processes.
    notificationsUrl: `http://localhost:${apiPort}`,
    settings: {
      LIVEKIT_PUBLIC_URL: `wss://${proxy.livekitDomain}`,
      S3_PUBLIC_ENDPOINT: `https://${proxy.filesDomain}`,
      NODE_EXTRA_CA_CERTS: proxy.authorityFile,
    },
    proxy,
    leadTo: () => {},
  }
}

async function startPlain({ port }: Behind, cleanup: AsyncDisposableStack): Promise<Front> {
  const balancer = await startBalancer(port ?? (await freePort()))
  cleanup.defer(() => balancer.close())
  return {
    apiHosts: undefined,
    apiPort: await freePort(),
    publicUrl: balancer.url,
    notificationsUrl: balancer.url,
    settings: {},
    proxy: undefined,
    leadTo(bases) {
      balancer.targets = bases
    },
  }
}
