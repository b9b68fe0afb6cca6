import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SANDBOX_TRIGGERS } from '@interview-room/contract/sandbox.ts'
import { createClient } from '@interview-room/sdk/client.ts'
import { packSdk } from '@interview-room/sdk/pack.ts'
import { packPython } from '@interview-room/sdk/python/pack-python.ts'
import { verifyWebhook, type WebhookEvent } from '@interview-room/sdk/webhook.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  allBlocks,
  codeBlocks,
  goReceiver,
  README_PROGRAMS,
  TOKEN_PROGRAMS,
} from './harness/guide-code.ts'
import { makeTenant } from './harness/new-tenant.ts'
import { freePort, NODE, ROOT } from './harness/service.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { missingTools, run } from './harness/tools.ts'
import { waitFor } from './harness/wait.ts'

const IS_FULL_RUN = process.env['TEST_SCOPE'] === 'whole'
const HAS_GO = IS_FULL_RUN && missingTools(['go']).length === 0
const HAS_PYTHON = IS_FULL_RUN && missingTools(['python3']).length === 0
const MINUTES_MS = 60_000
const LINK = /^(?<url>http\S+\/r\/(?<room>[0-9a-f-]{36}))#token=(?<token>\S+)$/

// Acts as the demo tenant, whose webhooks reach the playground.
const env = useTestEnvironment({ hasBrowser: false, ownService: {} })
let folder: string
let settings: Record<string, string>
/** The SDK as its users install it. */
let packed: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guide-'))
  const { base_url, tenant_id, api_key, token_key } = env.service.local
  settings = {
    PUBLIC_URL: base_url,
    TENANT_ID: tenant_id,
    API_KEY: api_key,
    TOKEN_KEY: JSON.stringify(token_key),
  }
  await writeFile(path.join(folder, 'package.json'), '{"private": true, "type": "module"}\n')
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--silent']
  packed = packSdk(folder)
  await run('npm', ['install', ...flags, packed], { cwd: folder })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Checks that the room of a link admits its holder. */
async function expectAdmitted(link: string): Promise<void> {
  const { room = '', token = '' } = LINK.exec(link)?.groups ?? {}
  const authorization = `Bearer ${token}`
  const visitor = createClient({ baseUrl: env.service.local.base_url, authorization })
  const entry = await visitor.enterRoom({ params: { room_id: room } })
  expect(entry.room.id).toBe(room)
}

interface Reader {
  language: 'ts' | 'python'
  /** Runs programs of the language. */
  program: string
  extension: string
  /** The file to install. */
  packageFile: string
}

/** Output of the operator's commands that later commands or programs need. */
type CommandOutput = Partial<
  Record<'secret' | 'tenant_id' | 'api_key', string> & { replaced: { url: string } | null }
>

const PAGE = 'guide/five-minutes.md'

/** Follows the page from its first block to its last: each command, and the programs of one language. */
async function expectPage({ language, program, extension, packageFile }: Reader): Promise<void> {
  const port = String(await freePort())
  const shell: Record<string, string> = { ...settings }
  const servicePort = new URL(env.service.local.base_url).port
  const own = (text: string) =>
    text
      .replaceAll('localhost:4000', `127.0.0.1:${port}`)
      .replaceAll('4000', port)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${servicePort}`)
  const others: string[] = []
  let receiver: Receiver | undefined

  async function runLine(line: string): Promise<void> {
    if (!line.startsWith('npm run admin -- ')) return void others.push(line)
    const words = own(line).match(/'[^']*'|\S+/g) ?? []
    const [, , , , ...args] = words.map((word) =>
      word.startsWith('$') ? (shell[word.slice(1)] ?? word) : word.replaceAll("'", ''),
    )
    const printed = (await env.service.admin(...args)) as CommandOutput
    if (printed.secret !== undefined) shell['WEBHOOK_SECRET'] = printed.secret
    if (line.includes('tenants create')) shell['SANDBOX_ID'] = printed.tenant_id ?? ''
    if (line.includes('api-keys issue')) shell['SANDBOX_KEY'] = printed.api_key ?? ''
    if (line.includes('webhooks test')) await expectLine(receiver, 'webhook webhook.test evt_')
    if (line.includes('/playground/webhook')) {
      await expectInPlayground(printed, `http://127.0.0.1:${port}/webhooks`)
    }
  }

  async function runProgram(code: string): Promise<void> {
    const file = path.join(folder, `page-${port}.${extension}`)
    await writeFile(file, own(code))
    if (receiver === undefined) receiver = await startReceiver(program, file, shell)
    else await expectStory(await run(program, [file], { cwd: folder, env: shell }))
  }

  try {
    for (const block of allBlocks(PAGE)) {
      const lines = block.language === 'sh' ? block.code.trim().split('\n') : []
      for (const line of lines) await runLine(line)
      if (block.language === language) await runProgram(block.code)
    }
  } finally {
    receiver?.child.kill()
  }
  const installs = others.filter((line) => !/^export [A-Z_]+=/.test(line))
  expect(installs).toEqual([
    expect.stringMatching(/^npm install \.\/interview-room-sdk-\S+\.tgz$/),
    expect.stringMatching(/^pip install \.\/interview_room-\S+\.whl$/),
  ])
  expect(installs.join()).toContain(`install ./${packageFile}`)
}

interface Receiver {
  child: ChildProcess
  lines(): string[]
}

/** The first program: it prints two links that admit, and waits for webhooks. */
async function startReceiver(
  program: string,
  file: string,
  shell: Record<string, string>,
): Promise<Receiver> {
  let printed = ''
  const child = spawn(program, [file], { cwd: folder, env: { ...process.env, ...shell } })
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (printed += bytes.toString()))
  }
  // An unfinished text may be a part of a line.
  const lines = () => printed.split('\n').slice(0, -1)
  await waitFor(() => lines().includes('waiting for webhooks') || hasEnded(child), {
    what: 'the program of the guide waits for webhooks',
    timeoutMs: MINUTES_MS,
  })
  expect(lines().at(-1)).toBe('waiting for webhooks')
  const links = lines().filter((line) => LINK.test(line))
  expect(links).toHaveLength(2)
  for (const link of links) await expectAdmitted(link)
  return { child, lines }
}

async function expectLine(program: Receiver | undefined, start: string): Promise<void> {
  await waitFor(() => program?.lines().some((line) => line.startsWith(start)) ?? false, {
    what: start,
  }).catch((error: unknown) => {
    throw new Error(`the program printed:\n${program?.lines().join('\n')}`, { cause: error })
  })
}

/** Points the webhooks to the playground again, instead of the page's receiver: it shows a new one as verified. */
async function expectInPlayground(printed: CommandOutput, replaced: string): Promise<void> {
  expect(printed.replaced?.url).toBe(replaced)
  const { base_url, tenant_id } = env.service.local
  await env.service.admin('webhooks', 'test', '--tenant', tenant_id)
  const signal = AbortSignal.timeout(MINUTES_MS)
  const { body } = await fetch(`${base_url}/playground/api/webhooks/stream`, { signal })
  let seen = ''
  for await (const bytes of body ?? []) {
    seen += Buffer.from(bytes).toString()
    if (/"verified":true,"id":"evt_[^"]+","type":"webhook\.test"/.test(seen)) return
  }
  throw new Error(`the playground shows no verified webhook: ${seen}`)
}

/** The second program: a recording, its transcript, and an erasure that has deleted it. */
async function expectStory(printed: string): Promise<void> {
  const story =
    /^recording (http\S+)\nWEBVTT\n[\s\S]*This transcript is simulated\.[\s\S]*erased 1 recording, receipt (\S+)$/.exec(
      printed.trim(),
    )
  expect(story, printed).not.toBeNull()
  const [, url = '', receipt = ''] = story ?? []
  const [, claims = ''] = receipt.split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ state: 'done' })
  expect((await fetch(url)).status).toBe(404)
}

const hasEnded = ({ exitCode }: ChildProcess) => exitCode !== null

async function makeVenv(packages: readonly string[]): Promise<string> {
  const venv = await mkdtemp(path.join(folder, 'venv-'))
  await run('python3', ['-m', 'venv', venv], { cwd: folder })
  await run(path.join(venv, 'bin/pip'), ['install', '-q', ...packages], { cwd: folder })
  return path.join(venv, 'bin/python')
}

describe('the five-minute path', () => {
  test('works in TypeScript, with the packed SDK in an empty folder', async () => {
    const packageFile = path.basename(packed)
    await expectPage({ language: 'ts', program: NODE, extension: 'mts', packageFile })
  })

  test('begins in CommonJS, and for a compiler that knows no exports, with the same package', async () => {
    const program = path.join(folder, 'required.cjs')
    await writeFile(
      program,
      `const { createClient } = require('@interview-room/sdk')
      const { main, types } = require('./node_modules/@interview-room/sdk/package.json')
      console.log(typeof createClient, main, types)`,
    )
    const printed = await run(NODE, [program], { cwd: folder })
    expect(printed.trim()).toBe('function ./lib/public.js ./lib/public.d.ts')
  })

  test.runIf(HAS_PYTHON)(
    'works in Python, with the wheel in an empty environment',
    { timeout: 10 * MINUTES_MS },
    async () => {
      const wheel = packPython(folder)
      const program = await makeVenv([wheel])
      const packageFile = path.basename(wheel)
      await expectPage({ language: 'python', program, extension: 'py', packageFile })
    },
  )

  test.runIf(HAS_PYTHON)(
    'installs a wheel that passes its own tests and a strict check of its types',
    { timeout: 10 * MINUTES_MS },
    async () => {
      const python = await makeVenv([packPython(folder), 'mypy==2.4.1'])
      const tests = path.join(ROOT, 'sdk/python/tests')
      await run(python, ['-m', 'unittest', 'discover', tests], { cwd: folder })
      const strict = ['-m', 'mypy', '--strict', '-p', 'interview_room']
      expect(await run(python, strict, { cwd: folder })).toContain('no issues found')
    },
  )
})

/** A link of a slot that is years ahead: nobody is admitted yet. */
async function expectLink(printed: string): Promise<void> {
  const { room = '', token = '' } = LINK.exec(printed.trim())?.groups ?? {}
  expect(await env.tenant.enter(room, token)).toEqual({
    status: 422,
    code: 'OUTSIDE_TIME_WINDOW',
  })
}

describe('the code in the README of the package', () => {
  test('prints a link, in TypeScript', async () => {
    const program = path.join(folder, 'readme.ts')
    await writeFile(program, README_PROGRAMS.ts())
    await expectLink(await run(NODE, [program], { cwd: folder, env: settings }))
  })

  test.runIf(HAS_PYTHON)('prints a link, in Python', { timeout: 10 * MINUTES_MS }, async () => {
    const python = await makeVenv([packPython(folder)])
    const program = path.join(folder, 'readme.py')
    await writeFile(program, README_PROGRAMS.python())
    await expectLink(await run(python, [program], { cwd: folder, env: settings }))
  })
})

/** The command of the installed package. */
const command = (...args: string[]) => [
  path.join(folder, 'node_modules/@interview-room/sdk/lib/cli.js'),
  ...args,
]

/** Runs the command; returns how it failed. */
async function fails(env: Record<string, string>, ...args: string[]) {
  const child = spawn(NODE, command(...args), { cwd: folder, env: { ...process.env, ...env } })
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const [exitCode] = await once(child, 'close')
  return { exitCode, said }
}

describe('the sandbox', () => {
  let sandbox: Record<string, string>
  let received: WebhookEvent[]
  let receiver: Server
  let listening: { child: ChildProcess; lines: string[] }

  /** Returns the secret that it prints. */
  async function listen(port: number): Promise<string> {
    const to = `http://127.0.0.1:${port}/hooks`
    const args = command('listen', '--to', to, '--state', path.join(folder, 'state.json'))
    const child = spawn(NODE, args, { cwd: folder, env: { ...process.env, ...sandbox } })
    const lines: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes: Buffer) => lines.push(...bytes.toString().trim().split('\n')))
    }
    listening = { child, lines }
    await waitFor(() => lines.includes(`forwarding to ${to}`) || hasEnded(child), {
      what: 'the command listens',
      timeoutMs: MINUTES_MS,
    })
    return lines.find((line) => line.startsWith('secret '))?.slice('secret '.length) ?? lines.join()
  }

  beforeAll(async () => {
    const made = (await env.service.admin('tenants', 'create', '--name', 'S', '--sandbox')) as {
      tenant_id: string
    }
    const tenant = ['--tenant', made.tenant_id]
    const key = (await env.service.admin('api-keys', 'issue', ...tenant)) as { api_key: string }
    sandbox = { PUBLIC_URL: env.service.local.base_url, API_KEY: key.api_key }
    received = []
    receiver = createServer()
  })

  afterAll(() => {
    listening?.child.kill()
    receiver?.close()
  })

  test('triggers every webhook and every failure, received and verified through `listen`', async () => {
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    const secret = await listen(port)
    expect(secret).toMatch(/^whsec_/)
    receiver.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        received.push(
          verifyWebhook({ body: Buffer.concat(chunks), headers: request.headers, secret }),
        )
        response.writeHead(204).end()
      })
    })
    const program = path.join(folder, 'sandbox.ts')
    await writeFile(program, codeBlocks('guide/sandbox.md', 'ts').join('\n'))
    const said = await run(NODE, [program], { cwd: folder, env: sandbox })
    expect(said).toContain('played ')
    const wanted = Object.entries(SANDBOX_TRIGGERS)
      .filter(([type]) => type !== 'sample_interview')
      .flatMap(([type, reasons]) => [null, ...reasons].map((reason) => `${type} ${reason}`))
    const missing = () => {
      const seen = new Set(received.map(keyOf))
      return wanted.filter((each) => !seen.has(each))
    }
    await waitFor(() => missing().length === 0, { what: 'all', timeoutMs: MINUTES_MS }).catch(
      () => {},
    )
    expect(missing()).toEqual([])
  })

  test('continues after the last event when `listen` is started again', async () => {
    listening.child.kill()
    await once(listening.child, 'close')
    const before = received.length
    await run(NODE, command('trigger', 'webhook.test'), { cwd: folder, env: sandbox })
    const { port } = receiver.address() as AddressInfo
    await listen(port)
    const sinceThen = () => received.slice(before)
    await waitFor(() => sinceThen().some(({ type }) => type === 'webhook.test'), {
      what: 'the event of meanwhile',
    })
    expect(sinceThen().map(({ id }) => id)).not.toContain(received[0]?.id)
  })

  test('reports an error in words and by its exit code', async () => {
    const real = { PUBLIC_URL: settings['PUBLIC_URL'] ?? '', API_KEY: settings['API_KEY'] ?? '' }
    const cases = [
      [sandbox, ['trigger', 'recording.failed'], 2, 'the type must be one of: participant.entered'],
      [sandbox, ['trigger', 'webhook.test', '--reason', 'x'], 1, 'failure_reason must be absent'],
      [real, ['trigger', 'webhook.test'], 1, 'of a real tenant, which has no sandbox'],
      [{ ...sandbox, API_KEY: 'wrong.key' }, ['trigger', '--list'], 1, '401 UNAUTHORIZED'],
      [sandbox, ['listen'], 2, '--to must be the address of your receiver'],
      [sandbox, ['nonsense'], 2, 'there is no command nonsense'],
      [{ PUBLIC_URL: '' }, ['trigger', '--list'], 2, 'PUBLIC_URL and API_KEY must be set'],
    ] as const
    const outcomes = await Promise.all(cases.map(([vars, args]) => fails({ ...vars }, ...args)))
    for (const [at, [, , exitCode, words]] of cases.entries()) {
      expect(outcomes[at]?.said).toContain(words)
      expect(outcomes[at]?.exitCode).toBe(exitCode)
    }
  })
})

const ENDS = ['available', 'done', 'completed', 'failed', 'error', 'request_error']

/** The type, with the failure reason or null; only the type if it has not ended. */
function keyOf({ type, data }: WebhookEvent): string {
  if (!('status' in data)) return `${type} null`
  return ENDS.includes(data.status) ? `${type} ${data.failure_reason}` : type
}

async function roomSettings(): Promise<Record<string, string>> {
  const room = await env.tenant.book()
  return { ...settings, ROOM_ID: room.id }
}

describe('the code that signs a participant token', () => {
  test('makes a link that admits, in TypeScript', async () => {
    const program = path.join(folder, 'token.ts')
    const code = codeBlocks('participant-tokens.md', 'ts').join('\n')
    await writeFile(program, TOKEN_PROGRAMS.ts(code))
    const link = await run(NODE, [program], { cwd: folder, env: await roomSettings() })
    await expectAdmitted(link.trim())
  })

  test.runIf(HAS_PYTHON)(
    'makes a link that admits, in Python',
    { timeout: 10 * MINUTES_MS },
    async () => {
      const python = await makeVenv(['pyjwt[crypto]==2.15.1'])
      const program = path.join(folder, 'sign_link.py')
      const code = codeBlocks('participant-tokens.md', 'python').join('\n')
      await writeFile(program, TOKEN_PROGRAMS.python(code))
      const link = await run(python, [program], { cwd: folder, env: await roomSettings() })
      await expectAdmitted(link.trim())
    },
  )

  test.runIf(HAS_GO)('makes a link that admits, in Go', { timeout: 10 * MINUTES_MS }, async () => {
    const go = await mkdtemp(path.join(folder, 'go-'))
    const code = codeBlocks('participant-tokens.md', 'go').join('\n')
    await writeFile(path.join(go, 'main.go'), TOKEN_PROGRAMS.go(code))
    await run('go', ['mod', 'init', 'example.com/token'], { cwd: go })
    await run('go', ['get', 'github.com/golang-jwt/jwt/v5@v5.3.0'], { cwd: go })
    const link = await run('go', ['run', '.'], { cwd: go, env: await roomSettings() })
    await expectAdmitted(link.trim())
  })
})

describe('the code that receives webhooks in Go', () => {
  test.runIf(HAS_GO)(
    'takes what the service signs, and nothing else',
    { timeout: 10 * MINUTES_MS },
    async () => {
      const go = await mkdtemp(path.join(folder, 'go-'))
      const port = String(await freePort())
      const url = `http://127.0.0.1:${port}/webhooks`
      const tenant = ['--tenant', env.service.local.tenant_id]
      const set = await env.service.admin('webhooks', 'set', ...tenant, '--url', url)
      const { secret } = set as { secret: string }
      const code = codeBlocks('guide/webhooks.md', 'go').join('\n')
      await writeFile(path.join(go, 'main.go'), goReceiver(code))
      await run('go', ['mod', 'init', 'example.com/webhooks'], { cwd: go })
      const library = 'github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1'
      await run('go', ['get', library], { cwd: go })
      await run('go', ['build', '-o', 'receiver', '.'], { cwd: go })
      const lines: string[] = []
      const child = spawn(path.join(go, 'receiver'), [], {
        env: { ...process.env, PORT: port, WEBHOOK_SECRET: secret },
      })
      child.stderr.on('data', (bytes: Buffer) => lines.push(bytes.toString()))
      try {
        await waitFor(() => lines.join('').includes('waiting'), { what: 'the receiver waits' })
        await env.service.admin('webhooks', 'test', ...tenant)
        await waitFor(() => lines.join('').includes('webhook webhook.test evt_'), {
          what: 'the webhook is verified',
        })
        const unsigned = await fetch(url, { method: 'POST', body: '{"id":"evt_1"}' })
        expect(unsigned.status).toBe(400)
      } finally {
        child.kill()
      }
    },
  )
})

describe('the code of data protection', () => {
  test('erases, exports and holds a person, sets retention, and verifies the receipt', async () => {
    const origin = env.service.local.base_url
    const own = (code = '') => code.replaceAll('https://rooms.example.com', origin)
    const { tenant_id } = await makeTenant(env.service, 'Data protection')
    const scoped = ['--tenant', tenant_id, '--scope', 'manage']
    const issued = await env.service.admin('api-keys', 'issue', ...scoped)
    const { api_key: key } = issued as { api_key: string }
    const inShell = async (code = '') => {
      const args = ['-c', own(code).replace('curl', 'curl -s')]
      return JSON.parse(await run('sh', args, { cwd: folder, env: { API_KEY: key } }))
    }
    const [erase, exportAll, retain, hold] = codeBlocks('data-protection.md', 'sh')
    const { id } = (await inShell(erase)).data as { id: string }
    expect((await inShell(exportAll)).data).toMatchObject({ items: [] })
    expect((await inShell(retain)).data).toMatchObject({ recordings_days: 90, handouts_days: 30 })
    expect((await inShell(hold)).data).toMatchObject({ reason: 'Case 2030-117' })

    const client = createClient({ baseUrl: origin, apiKey: key })
    const read = () => client.getErasure({ params: { erasure_id: id } })
    await waitFor(async () => (await read()).state === 'done', { what: 'the erasure is done' })
    const { receipt } = await read()
    const program = path.join(folder, 'receipt.mts')
    const [code] = codeBlocks('data-protection.md', 'ts')
    const given = `const receipt = process.env.RECEIPT!\n`
    await writeFile(program, `${given}${own(code)}\nconsole.log(payload.jti, payload.state)\n`)
    const said = await run(NODE, [program], { cwd: folder, env: { RECEIPT: receipt ?? '' } })
    expect(said.trim()).toBe(`${id} done`)
  })
})
