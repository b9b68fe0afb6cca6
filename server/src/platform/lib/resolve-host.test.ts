import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveHost } from './resolve-host.ts'

const TYPES = { 1: 'A', 28: 'AAAA' } as const
const HEADER_BYTES = 12
const NO_SUCH_NAME = 3
const SERVER_FAILED = 2

/** The records of the name server: the bytes of an address, or the code of a failure. Other questions get no answer. */
const RECORDS: Record<string, number[] | number> = {
  'A both.example': [192, 0, 2, 1],
  'AAAA both.example': [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  'A half.example': [192, 0, 2, 2],
  'A unknown.example': NO_SUCH_NAME,
  'AAAA unknown.example': NO_SUCH_NAME,
  'A broken.example': SERVER_FAILED,
  'AAAA broken.example': NO_SUCH_NAME,
}

let server: Socket
let nameServers: string[] = []
const asked: string[] = []

/** An answer as RFC 1035 has it: the question again, and the record with a pointer to its name. */
function answerTo(query: Buffer): Buffer | undefined {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = query.readUInt16BE(at + 1)
  const name = `${TYPES[type as keyof typeof TYPES]} ${labels.join('.')}`
  asked.push(name)
  const record = RECORDS[name]
  if (record === undefined) return undefined
  const isFailure = typeof record === 'number'
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x81_80 + (isFailure ? record : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(isFailure ? 0 : 1, 6)
  const question = query.subarray(HEADER_BYTES, at + 5)
  if (isFailure) return Buffer.concat([header, question])
  const [typeHigh, typeLow] = [type >> 8, type & 0xff]
  const about = [0xc0, HEADER_BYTES, typeHigh, typeLow, 0, 1, 0, 0, 0, 60, 0, record.length]
  return Buffer.concat([header, question, Buffer.from([...about, ...record])])
}

beforeAll(async () => {
  server = createSocket('udp4', (query, { port, address }) => {
    const answer = answerTo(query)
    if (answer !== undefined) server.send(answer, port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  nameServers = [`127.0.0.1:${server.address().port}`]
})
afterAll(() => void server?.close())

const resolved = (host: string, mayBeLocal = false) =>
  resolveHost(host, { mayBeLocal, nameServers })

test('the addresses of both kinds are found, those of IPv4 first', async () => {
  expect(await resolved('both.example')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ])
})

test('a name server that is silent about one kind of address does not hide the other one', async () => {
  expect(await resolved('half.example')).toEqual([{ address: '192.0.2.2', family: 4 }])
})

// contract: Webhook envelope and signature › A tenant whose name server does not answer delays nobody else
test('names whose server is silent do not delay the others, however many they are', async () => {
  const settled: string[] = []
  const silent = Array.from({ length: 20 }, async (_, index) => {
    await expect(resolved(`silent-${index}.example`)).rejects.toMatchObject({ code: 'ETIMEOUT' })
    settled.push('silent')
  })
  await expect.poll(() => new Set(asked.filter((name) => name.includes('silent'))).size).toBe(40)
  await Promise.all([
    resolved('both.example').then(() => settled.push('known')),
    // Resolved by the system, in the threads of the process.
    resolved('localhost').then(() => settled.push('local')),
  ])
  expect(settled).toEqual(expect.not.arrayContaining(['silent']))
  await Promise.all(silent)
})

test.each([
  ['unknown.example', 'ENOTFOUND'],
  ['broken.example', 'ESERVFAIL'],
])('%s is an error that says why: %s', async (host, code) => {
  await expect(resolved(host)).rejects.toMatchObject({ code })
})

test('a name of this machine is found without a name server', async () => {
  asked.length = 0
  expect((await resolved('localhost')).length).toBeGreaterThan(0)
  expect(asked).toEqual([])
})

test('a name in the hosts file has the address there, if private addresses are allowed', async () => {
  asked.length = 0
  const hostsFile = path.join(await mkdtemp(path.join(tmpdir(), 'hosts-')), 'hosts')
  await writeFile(
    hostsFile,
    '# 10.0.0.1 half.example\n10.0.0.2\tapp.internal Both.Example # ours\n',
  )
  const options = { nameServers, hostsFile }
  // The system reads its own file, which does not have the name.
  await resolveHost('both.example', { ...options, mayBeLocal: true }).catch(() => {})
  expect(asked).toEqual([])
  await resolveHost('half.example', { ...options, mayBeLocal: true })
  await resolveHost('both.example', { ...options, mayBeLocal: false })
  expect(new Set(asked)).toEqual(
    new Set(['A half.example', 'AAAA half.example', 'A both.example', 'AAAA both.example']),
  )
})

test('a name that no server knows may be one of this machine, if private addresses are allowed', async () => {
  // Neither knows it. The system is asked as well: its error names the call.
  await expect(resolved('unknown.example', true)).rejects.toMatchObject({ syscall: 'getaddrinfo' })
})
