import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../platform/config/config.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

/** The blocks of "Try it on one machine". */
const [, TRIAL = ''] = read('docs/livekit.md').split('## Try it on one machine\n')
const BLOCKS = [...(TRIAL.split('\n## ')[0] ?? '').matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(
  ([, code = '']) => code,
)
const blockWith = (words: string) => BLOCKS.find((code) => code.includes(words)) ?? ''

const SERVER = parse(blockWith('auto_create')) as Record<string, Record<string, unknown>>
const SERVICE = parseEnv(blockWith('DATABASE_URL'))
/** Parsed as the shell does it. */
const RECORDER = parseEnv(blockWith('npm run recorder').replaceAll(/[ \\\n]+(?=[A-Z_]+=)/g, '\n'))

test('the trial of LiveKit has settings that the service accepts', () => {
  const config = loadConfig({ ...SERVICE, SECRETS_KEY: Buffer.alloc(32).toString('base64') })
  expect(config.publicUrl).toBe('http://localhost:3000')
})

test('the trial of LiveKit has the same keys and addresses everywhere', () => {
  const {
    LIVEKIT_API_KEY: key = '',
    LIVEKIT_API_SECRET: secret,
    LIVEKIT_URL,
    STORAGE_DIR,
  } = SERVICE
  expect(SERVER['keys']).toEqual({ [key]: secret })
  expect(SERVER['webhook']?.['api_key']).toBe(key)
  expect(SERVER['webhook']?.['urls']).toEqual([RECORDER['WEBHOOK_URL']])
  expect(RECORDER).toMatchObject({ LIVEKIT_URL, LIVEKIT_API_KEY: key, LIVEKIT_API_SECRET: secret })
  expect(RECORDER['EGRESS_OUTPUT_DIR']).toMatch(new RegExp(`^${STORAGE_DIR}\\b`))
})

test('the trial of LiveKit has the rooms that a deployment has', () => {
  const { room } = parse(read('deploy/compose/livekit.yaml')) as typeof SERVER
  expect(SERVER['room']).toEqual(room)
})
