import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { inTransaction, type Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { createTenant } from '../platform/tenants/create-tenant.ts'
import { type DeliveryWorker, startDeliveryWorker } from '../platform/webhooks/delivery-worker.ts'
import type { Endpoint } from '../platform/webhooks/endpoint-store.ts'
import { endpointOf } from '../platform/webhooks/manage-webhooks.ts'
import { recordWebhookEvent } from '../platform/webhooks/record-event.ts'
import type { Redelivery } from '../platform/webhooks/redelivery-store.ts'
import { setEndpoint } from '../platform/webhooks/set-endpoint.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { createTestDeps } from './deps.ts'

export interface ReceivedWebhook {
  body: string
  headers: IncomingHttpHeaders
}

interface Answer {
  status: number
  headers?: Record<string, string>
  isBrokenOff?: boolean
}

function give({ status, headers, isBrokenOff = false }: Answer, response: ServerResponse): void {
  response.writeHead(status, headers)
  if (isBrokenOff) response.write('thank', () => response.destroy())
  else response.end('thank you')
}

/** A tenant, new for each test, whose webhooks arrive at a scripted receiver. */
class WebhookTenant {
  database!: TestDatabase
  deps!: Deps
  url = ''
  tenantId = ''
  secret = ''
  received: ReceivedWebhook[] = []
  /** The receiver's answer: a status with headers, and whether it closes the connection afterwards. */
  answer: Answer = { status: 204 }
  /** Messages that are refused with 422, whatever the others get. */
  readonly refused = new Set<string>()
  /** Answers for single messages. */
  readonly answers = new Map<string, Answer>()
  /** A message is answered once this has settled. */
  delay: (message: string) => Promise<void> = async () => {}
  readonly #workers: DeliveryWorker[] = []
  #server: Server | undefined

  async open(): Promise<void> {
    this.database = await createTestDatabase()
    this.deps = createTestDeps({ db: this.database.db })
    this.#server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        this.received.push({ body, headers: request.headers })
        const { message } = JSON.parse(body).data
        const own = this.refused.has(message) ? { status: 422 } : this.answers.get(message)
        const answer = own ?? this.answer
        void this.delay(message).then(() => give(answer, response))
      })
    }).listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const { port } = this.#server.address() as AddressInfo
    this.url = `http://127.0.0.1:${port}/hooks`
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    this.#server?.close()
    await this.database.drop()
  }

  async begin(): Promise<void> {
    this.received = []
    this.answer = { status: 204 }
    this.refused.clear()
    this.answers.clear()
    this.delay = async () => {}
    this.tenantId = (await createTenant(this.database.db, { name: 'T' })).id
    this.secret = (await setEndpoint(this.deps, this)).secret
  }

  async end(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.stop()))
    await this.database.db`delete from webhook_endpoints`
  }

  async record(name: string, stream = name): Promise<void> {
    await inTransaction(this.database.db, (tx) => this.recordIn(tx, name, stream))
  }

  async recordIn(tx: Tx, name: string, stream: string): Promise<void> {
    await recordWebhookEvent(tx, {
      tenantId: this.tenantId,
      type: 'webhook.test',
      streamKey: stream,
      dedupeKey: name,
      occurredAt: new Date(),
      data: { message: name },
    })
  }

  wanted(some: Partial<Redelivery>): Redelivery {
    const any = { eventId: undefined, type: undefined, since: undefined, until: undefined }
    return { tenantId: this.tenantId, ...any, ...some }
  }

  async endpoint(): Promise<Endpoint> {
    const found = await endpointOf(this.deps, this.tenantId)
    if (found === undefined) throw new Error('the tenant has no endpoint')
    return found
  }

  startWorkers(count = 1): DeliveryWorker[] {
    const started = Array.from({ length: count }, () => startDeliveryWorker(this.deps))
    this.#workers.push(...started)
    return started
  }

  messages(): string[] {
    return this.received.map(({ body }) => JSON.parse(body).data.message)
  }

  async deliveries() {
    return this.database.db`
      select d.* from webhook_deliveries d join webhook_events e on e.id = d.event_id
       where e.tenant_id = ${this.tenantId} order by d.id
    `
  }

  /** Moves all pending deliveries past their pauses. */
  async makeDue(): Promise<void> {
    await this.database.db`
      update webhook_deliveries set due_at = created_at
       where due_at is not null and lease_token is null
    `
    await this.database.db`
      update webhook_endpoints set next_probe_at = clock_timestamp()
       where next_probe_at is not null
    `
    await this.database.db`select pg_notify('webhook_deliveries', '')`
  }

  async failuresNow() {
    const [row] = await this.database.db`
      select consecutive_failures as failures, next_probe_at is not null as "isOpen"
        from webhook_endpoints where tenant_id = ${this.tenantId}
    `
    return row
  }

  /** Time until the next probe, by the database's clock. */
  async secondsToProbe(): Promise<number> {
    const [row] = await this.database.db<{ sec: number | null }[]>`
      select extract(epoch from next_probe_at - clock_timestamp())::float8 as sec
        from webhook_endpoints where tenant_id = ${this.tenantId}
    `
    return row?.sec ?? Number.NaN
  }
}

/** For the tests of a file, with a separate database. */
export function useWebhookTenant(): WebhookTenant {
  const tenant = new WebhookTenant()
  beforeAll(() => tenant.open())
  beforeEach(() => tenant.begin())
  afterEach(() => tenant.end())
  afterAll(() => tenant.close())
  return tenant
}
