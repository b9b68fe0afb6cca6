import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** The moment from which a vendor is silent: the caller waits, and may die. */
export type Standstill = 'before it takes the job' | 'having taken the job' | 'asked for the result'

export interface VendorJob {
  id: string
  reference: string
  language: string
  isRemoved: boolean
}

/** The part of Speechmatics' batch API that a transcription uses, with the accepted jobs. */
export interface JobVendor {
  url: string
  jobs: VendorJob[]
  /** Faults by language: the moment of a standstill, or jobs that never end. */
  trouble: Map<string, Standstill | 'never done'>
  /** Languages whose fault has occurred. */
  inTrouble: Set<string>
  close(): void
}

type Answer = { status: number; body: object } | 'nothing'

const ok = (body: object): Answer => ({ status: 200, body })

/** @param said the text of each audio. */
export async function startJobVendor(said: string): Promise<JobVendor> {
  const server = createServer((request, response) => void serve(vendor, request, response))
  const vendor: JobVendor & { said: string } = {
    url: '',
    jobs: [],
    trouble: new Map(),
    inTrouble: new Set(),
    said,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return vendor
}

async function serve(
  vendor: JobVendor & { said: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = request.method === 'POST' ? await text(request).catch(() => undefined) : ''
  // The caller died during its request.
  if (body === undefined) return
  const { pathname } = new URL(request.url ?? '', vendor.url)
  const answer = answerTo(vendor, { method: request.method ?? '', pathname, body })
  if (answer === 'nothing') return
  response.writeHead(answer.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer.body))
}

interface Call {
  method: string
  pathname: string
  body: string
}

function answerTo(vendor: JobVendor & { said: string }, { method, pathname, body }: Call): Answer {
  if (method === 'POST') return take(vendor, body)
  const [, , , id, what] = pathname.split('/')
  if (id === undefined) return ok({ jobs: vendor.jobs.filter(isKept).map(present) })
  const job = vendor.jobs.find((each) => each.id === id)
  if (job === undefined || job.isRemoved) return { status: 404, body: { code: 404 } }
  if (method === 'DELETE') {
    job.isRemoved = true
    return ok({ job: present(job) })
  }
  if (what === undefined) return ok({ job: { id, status: statusOf(vendor, job) } })
  return standsStill(vendor, job.language, 'asked for the result') ? 'nothing' : hear(vendor.said)
}

const isKept = ({ isRemoved }: VendorJob) => !isRemoved
const present = ({ id, reference }: VendorJob) => ({ id, config: { tracking: { reference } } })

function take(vendor: JobVendor, body: string): Answer {
  const [language = '', reference = ''] = ['language', 'reference'].map(
    (name) => new RegExp(`"${name}":"([^"]+)"`).exec(body)?.[1],
  )
  if (standsStill(vendor, language, 'before it takes the job')) return 'nothing'
  const job = { id: randomUUID(), reference, language, isRemoved: false }
  vendor.jobs.unshift(job)
  if (standsStill(vendor, language, 'having taken the job')) return 'nothing'
  return { status: 201, body: { id: job.id } }
}

function statusOf(vendor: JobVendor, { language }: VendorJob): 'running' | 'done' {
  return standsStill(vendor, language, 'never done') ? 'running' : 'done'
}

function standsStill(
  { trouble, inTrouble }: JobVendor,
  language: string,
  where: Standstill | 'never done',
): boolean {
  if (trouble.get(language) !== where) return false
  inTrouble.add(language)
  return true
}

function hear(said: string): Answer {
  const alternatives = [{ content: said, speaker: 'S1' }]
  return ok({ results: [{ type: 'word', start_time: 0.2, end_time: 0.8, alternatives }] })
}
