#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { UsageError } from './cli-error.ts'
import { createClient } from './client.ts'
import { listen } from './listen.ts'
import { trigger } from './trigger.ts'

const HELP = `Usage:
  interview-room listen --to <url> [--state <file>] [--all]
  interview-room trigger <type> [--reason <failure reason>] [--room <room id>]
  interview-room trigger --list

listen   forwards your events to a local receiver as signed webhooks, from now on.
         --to <url>      where your receiver is, such as http://localhost:3000/hooks
         --state <file>  keeps the secret and the place (.interview-room.json)
         --all           begins with the oldest event that is kept
trigger  brings about a webhook in your sandbox.
         --list          shows every type with its failure reasons

Environment:
  PUBLIC_URL  the service, such as https://interviews.example.com
  API_KEY     an API key with the scope control

Exit codes: 0 done or interrupted, 1 refused or failed, 2 wrong usage.
`

const OPTIONS = {
  to: { type: 'string' },
  state: { type: 'string' },
  all: { type: 'boolean' },
  reason: { type: 'string' },
  room: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

async function run(args: readonly string[]): Promise<void> {
  const { command, subject, options } = read(args)
  if (options.help === true || command === undefined) {
    process.stdout.write(HELP)
    if (command === undefined && options.help !== true) throw new UsageError('a command is missing')
    return
  }
  if (command === 'listen') return listen(clientOf(process.env), options, stopSignal())
  if (command === 'trigger') return trigger(clientOf(process.env), subject, options)
  throw new UsageError(`there is no command ${command}`)
}

function read(args: readonly string[]) {
  try {
    const parsed = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    const [command, subject, ...more] = parsed.positionals
    if (more.length > 0) throw new UsageError(`${more[0]} is one word too many`)
    return { command, subject, options: parsed.values }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message)
  }
}

function clientOf({ PUBLIC_URL, API_KEY }: NodeJS.ProcessEnv) {
  if (!PUBLIC_URL || !API_KEY) throw new UsageError('PUBLIC_URL and API_KEY must be set')
  if (!URL.canParse(PUBLIC_URL)) throw new UsageError('PUBLIC_URL must be an address')
  return createClient({ baseUrl: PUBLIC_URL, apiKey: API_KEY })
}

function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
  return stopping.signal
}

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`interview-room: ${explain(error)}\n`)
  if (error instanceof UsageError) process.stderr.write('See interview-room --help.\n')
  process.exitCode = error instanceof UsageError ? 2 : 1
}
