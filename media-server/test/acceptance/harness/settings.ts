import { existsSync } from 'node:fs'

/** Address of the server under test, and the key to sign for it. */
export interface ServerSettings {
  url: string
  apiKey: string
  apiSecret: string
}

/** The LiveKit server named in the environment; undefined means our own, embedded one. */
export function foreignServer(): ServerSettings | undefined {
  const url = process.env['LIVEKIT_ACCEPTANCE_URL'] ?? ''
  if (url === '') return undefined
  return {
    url: url.replace(/^ws/, 'http').replace(/\/$/, ''),
    apiKey: required('LIVEKIT_ACCEPTANCE_API_KEY'),
    apiSecret: required('LIVEKIT_ACCEPTANCE_API_SECRET'),
  }
}

/** The port a foreign server was configured to deliver its webhooks to; undefined if none was. */
export function webhookPort(): number | undefined {
  const port = process.env['LIVEKIT_ACCEPTANCE_WEBHOOK_PORT'] ?? ''
  return port === '' ? undefined : Number(port)
}

/** True where a recorder of the suite's own, beside the server under test, makes recordings. */
export function hasRecorder(): boolean {
  return process.env['LIVEKIT_ACCEPTANCE_RECORDER'] === 'true'
}

/** The port a foreign server delivers the notifications of a whole service to; undefined if to none. */
export function servicePort(): number | undefined {
  const port = process.env['LIVEKIT_ACCEPTANCE_SERVICE_PORT'] ?? ''
  return port === '' ? undefined : Number(port)
}

/** True where LiveKit Egress works for the foreign server. */
export function hasEgress(): boolean {
  return process.env['LIVEKIT_ACCEPTANCE_EGRESS'] === 'true'
}

/** Length of the soak in minutes; 0 means that it is not wanted. */
export function soakMinutes(): number {
  return Number(process.env['LIVEKIT_ACCEPTANCE_SOAK_MINUTES'] ?? '0')
}

/** Chromium without windows where `npm test` names one: a page costs a fifth of the work in it. */
export function chromiumPath(): string {
  const candidates = [
    process.env['HEADLESS_SHELL_PATH'] ?? '',
    process.env['CHROMIUM_PATH'] ?? '',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
  ]
  const found = candidates.find((path) => path !== '' && existsSync(path))
  if (found === undefined) throw new Error('no Chromium found: set CHROMIUM_PATH')
  return found
}

function required(name: string): string {
  const value = process.env[name] ?? ''
  if (value === '') throw new Error(`${name} must be set together with LIVEKIT_ACCEPTANCE_URL`)
  return value
}
