import { randomInt } from 'node:crypto'
import { CLEAR_NETWORK, type NetworkSettings } from './emulated-network.ts'

const EGRESS_FAULTS = [
  'refuse_start',
  'fail_start',
  'abort',
  'stay_starting',
  'limit_reached',
  'fail_at_stop',
  'missing_file',
  'begin_late',
  'stay_active',
  'refuse_calls',
  'refuse_upload',
] as const

export interface EgressFault {
  kind: (typeof EGRESS_FAULTS)[number]
  /** Used by `begin_late` and `stay_active`. */
  delayMs: number
}

export interface WebhookFault {
  /** The event, or `*` for every one. */
  event: string
  action: 'drop' | 'double' | 'delay'
  delayMs: number
  /** How many events it still meets. */
  count: number
}

export class FaultsError extends Error {}

/** Failures to come: `POST /faults` adds to them, `DELETE /faults` forgets them. */
export interface FaultsBody {
  /** For so many of the next egresses (default 1). `delayMs`: by default 3 to 9 s, each its own. */
  egress?: { next: EgressFault['kind']; count?: number; delayMs?: number }
  webhooks?: { event: string; action: WebhookFault['action']; delayMs?: number; count?: number }
  /** Network of the named participant, or of everybody who is not named by another. */
  line?: NetworkFault
}

interface NetworkFault {
  identity?: string
  lossRatio?: number
  delayMs?: number
  kbps?: number
  blocked?: boolean
}

const ACTIONS = ['drop', 'double', 'delay']
/** Between the request and the first media of a room composite of LiveKit Egress. */
const LATE_MS = { min: 3000, max: 9000 }
const DELAY_MAX_MS = 600_000
const NETWORK_DELAY_MAX_MS = 5000
const NETWORK_FIELDS = ['identity', 'lossRatio', 'delayMs', 'kbps', 'blocked']

/** The faults that are still to happen. */
export class Faults {
  #egress: { kind: EgressFault['kind']; count: number; delayMs: number | undefined } | undefined
  #webhooks: WebhookFault[] = []
  readonly #networks = new Map<string | undefined, NetworkSettings>()

  add({ egress, webhooks, line }: FaultsBody): void {
    if (egress !== undefined) {
      const { next: kind, count = 1, delayMs } = egress
      this.#egress = { kind, count, delayMs }
    }
    if (line !== undefined) this.#networks.set(line.identity, settingsOf(line))
    if (webhooks === undefined) return
    const { event, action, delayMs = 0, count = 1 } = webhooks
    this.#webhooks.push({ event, action, delayMs, count })
  }

  clear(): void {
    this.#egress = undefined
    this.#webhooks = []
    this.#networks.clear()
  }

  /** The emulated network of a participant now; undefined: none. */
  networkOf(identity: string): NetworkSettings | undefined {
    return this.#networks.get(identity) ?? this.#networks.get(undefined)
  }

  /** The fault of the egress that starts now. */
  takeEgress(): EgressFault | undefined {
    const planned = this.#egress
    if (planned === undefined) return undefined
    planned.count--
    if (planned.count <= 0) this.#egress = undefined
    const { kind, delayMs = randomInt(LATE_MS.min, LATE_MS.max + 1) } = planned
    return { kind, delayMs }
  }

  takeWebhook(event: string): WebhookFault | undefined {
    const fault = this.#webhooks.find((one) => one.event === '*' || one.event === event)
    if (fault === undefined) return undefined
    fault.count--
    if (fault.count <= 0) this.#webhooks = this.#webhooks.filter((one) => one !== fault)
    return fault
  }
}

/** Reads the body of `POST /faults`. Throws FaultsError. */
export function readFaults(body: unknown): FaultsBody {
  const { egress, webhooks, line, ...rest } = objectOf(body, 'body')
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw invalid(unknown)
  return {
    ...(egress === undefined ? {} : { egress: readEgressFault(egress) }),
    ...(webhooks === undefined ? {} : { webhooks: readWebhookFault(webhooks) }),
    ...(line === undefined ? {} : { line: readNetworkFault(line) }),
  }
}

function readEgressFault(value: unknown): NonNullable<FaultsBody['egress']> {
  const { next, count, delayMs } = objectOf(value, 'egress')
  const fault = EGRESS_FAULTS.find((one) => one === next)
  if (fault === undefined) throw invalid('egress.next')
  const times = wholeNumber(count ?? 1, 'egress.count')
  if (delayMs === undefined) return { next: fault, count: times }
  return { next: fault, count: times, delayMs: numberUpTo(delayMs, DELAY_MAX_MS, 'egress.delayMs') }
}

function readWebhookFault(value: unknown): NonNullable<FaultsBody['webhooks']> {
  const { event, action, delayMs, count } = objectOf(value, 'webhooks')
  if (typeof event !== 'string' || event === '') throw invalid('webhooks.event')
  if (typeof action !== 'string' || !ACTIONS.includes(action)) throw invalid('webhooks.action')
  const delay = wholeNumber(delayMs ?? 0, 'webhooks.delayMs')
  if (delay > DELAY_MAX_MS) throw invalid('webhooks.delayMs')
  const times = wholeNumber(count ?? 1, 'webhooks.count')
  return { event, action: action as WebhookFault['action'], delayMs: delay, count: times }
}

function readNetworkFault(value: unknown): NetworkFault {
  const fields = objectOf(value, 'line')
  const unknown = Object.keys(fields).find((name) => !NETWORK_FIELDS.includes(name))
  if (unknown !== undefined) throw invalid(`line.${unknown}`)

  const { identity, lossRatio, delayMs, kbps, blocked } = fields
  if (identity !== undefined && (typeof identity !== 'string' || identity === '')) {
    throw invalid('line.identity')
  }
  if (blocked !== undefined && typeof blocked !== 'boolean') throw invalid('line.blocked')
  return {
    ...(identity === undefined ? {} : { identity }),
    ...(blocked === undefined ? {} : { blocked }),
    ...(lossRatio === undefined ? {} : { lossRatio: numberUpTo(lossRatio, 1, 'line.lossRatio') }),
    ...(delayMs === undefined
      ? {}
      : { delayMs: numberUpTo(delayMs, NETWORK_DELAY_MAX_MS, 'line.delayMs') }),
    ...(kbps === undefined ? {} : { kbps: rate(kbps) }),
  }
}

function settingsOf({ lossRatio, delayMs, kbps, blocked }: NetworkFault): NetworkSettings {
  return {
    lossRatio: lossRatio ?? CLEAR_NETWORK.lossRatio,
    delayMs: delayMs ?? CLEAR_NETWORK.delayMs,
    kbps: kbps ?? CLEAR_NETWORK.kbps,
    isBlocked: blocked ?? CLEAR_NETWORK.isBlocked,
  }
}

function rate(value: unknown): number {
  const kbps = numberUpTo(value, Number.MAX_SAFE_INTEGER, 'line.kbps')
  if (kbps === 0) throw invalid('line.kbps')
  return kbps
}

function numberUpTo(value: unknown, max: number, field: string): number {
  if (typeof value === 'number' && value >= 0 && value <= max) return value
  throw invalid(field)
}

function objectOf(value: unknown, field: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw invalid(field)
}

function wholeNumber(value: unknown, field: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw invalid(field)
}

function invalid(field: string): FaultsError {
  return new FaultsError(`faults: missing or invalid field: ${field}`)
}
