import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { settlesWithin } from './settles-within.ts'

/** Timeout of a name server. It is asked once more, with twice the time. */
const ANSWER_MS = 1_500
const TRIES = 2
/** How long the other kind of address is waited for once one has arrived. */
const OTHER_KIND_MS = 300

/** Codes for an unknown name, or for missing name servers. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/** A name of this machine or its network, which no tenant's name server is asked for. */
const LOCAL_NAME = /^[^.]*\.?$|(^|\.)localhost\.?$/

interface ResolveOptions {
  /** True if the hosts file is read before the name servers are asked, and the machine's search domains are tried after them. */
  mayBeLocal: boolean
  /** `address:port` of the name servers; those of the machine by default. */
  nameServers?: readonly string[]
  hostsFile?: string
}

/**
 * The addresses of a tenant's host, those of IPv4 first. Rejects with an error of `node:dns`.
 *
 * It does not use the system's resolver: that blocks a thread while a name server is silent, and a process has
 * two for all its lookups. Two such names would stop every tenant's deliveries, and connections of the service.
 */
export async function resolveHost(
  host: string,
  { mayBeLocal, nameServers, hostsFile = '/etc/hosts' }: ResolveOptions,
): Promise<LookupAddress[]> {
  if (LOCAL_NAME.test(host)) return lookUp(host)
  if (mayBeLocal && (await isListed(host, hostsFile))) return lookUp(host)
  const { found, problems } = await askNameServers(host, nameServers)
  if (found.length > 0) return found.toSorted((a, b) => a.family - b.family)
  // A server that is silent or broken for one kind of address has not answered for the host.
  const broken = problems.find((problem) => !UNKNOWN.has(codeOf(problem)))
  if (broken !== undefined) throw broken
  const hasNameServer = problems.every((problem) => codeOf(problem) !== 'ECONNREFUSED')
  if (hasNameServer && !mayBeLocal) throw problems[0]
  return lookUp(host)
}

async function askNameServers(host: string, nameServers: readonly string[] | undefined) {
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: TRIES })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const found: LookupAddress[] = []
  const problems: unknown[] = []
  const ask = async (addresses: Promise<string[]>, family: 4 | 6) => {
    try {
      found.push(...(await addresses).map((address) => ({ address, family })))
    } catch (problem) {
      problems.push(problem)
    }
  }
  const questions = [ask(resolver.resolve4(host), 4), ask(resolver.resolve6(host), 6)]
  await Promise.race(questions)
  const all = Promise.all(questions)
  if (found.length > 0) await settlesWithin(all, OTHER_KIND_MS)
  else await all
  resolver.cancel()
  return { found: [...found], problems }
}

/** True if this machine's hosts file has an address for the name. */
async function isListed(host: string, hostsFile: string): Promise<boolean> {
  // Other systems have the file elsewhere.
  const text = await readFile(hostsFile, 'utf8').catch(() => '')
  const wanted = host.toLowerCase().replace(/\.$/, '')
  return text.split('\n').some((line) => {
    const [, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return names.includes(wanted)
  })
}

const codeOf = (problem: unknown): string => (problem as { code?: string }).code ?? ''

async function lookUp(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    )
  })
}
