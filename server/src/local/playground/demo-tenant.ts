import path from 'node:path'
import { VIEWER_ABILITIES } from '@interview-room/contract/reviews.ts'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { TargetError } from '../../platform/lib/target-guard.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { addTokenKey } from '../../platform/tenants/add-token-key.ts'
import { setStaffReview } from '../../platform/tenants/consent-settings.ts'
import { createTenant } from '../../platform/tenants/create-tenant.ts'
import { issueApiKey } from '../../platform/tenants/issue-api-key.ts'
import { tenantExists } from '../../platform/tenants/manage-tenants.ts'
import { changeEndpoint, endpointsOf } from '../../platform/webhooks/manage-webhooks.ts'
import { setEndpoint } from '../../platform/webhooks/set-endpoint.ts'
import { loopbackOf } from '../lib/ports.ts'
import { readPrivateJson, writePrivateJson } from '../lib/private-file.ts'
import { StartError } from '../lib/start-error.ts'

/** `DATA_DIR/local.json`: all that a script needs to act as the demo tenant. */
export interface LocalFile {
  base_url: string
  tenant_id: string
  api_key: string
  token_key: { kid: string; alg: 'ES256'; private_jwk: JWK }
  webhook: { url: string; secret: string }
}

export const WEBHOOK_PATH = '/playground/webhook'
const TOKEN_KEY_ID = 'local-1'

type DemoDeps = Pick<Deps, 'db' | 'secretBox' | 'config'>

export interface DemoTenant {
  local: LocalFile
  /** True at the first start only. */
  isNew: boolean
}

/** The demo tenant of a local installation, with its keys; made at the first start. */
export async function ensureDemoTenant(deps: DemoDeps, dataDir: string): Promise<DemoTenant> {
  const file = path.join(dataDir, 'local.json')
  const known = readPrivateJson<LocalFile>(file)
  const isKnown = known !== undefined && (await tenantExists(deps.db, known.tenant_id))
  const local = isKnown ? await followAddress(deps, known) : await makeDemoTenant(deps)
  if (local !== known) writePrivateJson(file, local)
  return { local, isNew: !isKnown }
}

async function makeDemoTenant(deps: DemoDeps): Promise<LocalFile> {
  const { db, config } = deps
  const { id } = await createTenant(db, { name: 'Demo tenant' })
  await setStaffReview(db, id, VIEWER_ABILITIES)
  const { apiKey } = await issueApiKey(db, { tenantId: id, note: 'made by the local start' })
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  await addTokenKey(db, {
    tenantId: id,
    kid: TOKEN_KEY_ID,
    alg: 'ES256',
    publicJwk: await exportJWK(publicKey),
    allowedRoles: [...ROLES],
  })
  return {
    base_url: config.publicUrl,
    tenant_id: id,
    api_key: apiKey,
    token_key: { kid: TOKEN_KEY_ID, alg: 'ES256', private_jwk: await exportJWK(privateKey) },
    webhook: await pointWebhooksHere(deps, id),
  }
}

async function pointWebhooksHere(deps: DemoDeps, tenantId: string): Promise<LocalFile['webhook']> {
  const url = receiverOf(deps)
  const { secret } = await explained(url, setEndpoint(deps, { tenantId, url }))
  return { url, secret }
}

/** This process, which listens on this machine, whatever leads to it from outside. */
function receiverOf({ config: { host, port } }: DemoDeps): string {
  return `http://${loopbackOf(host)}:${port}${WEBHOOK_PATH}`
}

/** Throws StartError where no webhook may be sent to this process. */
async function explained<T>(url: string, setting: Promise<T>): Promise<T> {
  try {
    return await setting
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    throw new StartError(
      `The playground receives its webhooks at ${url}, which WEBHOOKS_ALLOW_PRIVATE_TARGETS rules out. Set it to true, or set HOST to 127.0.0.1 or 0.0.0.0.`,
    )
  }
}

/** Follows a change of PORT, HOST or PUBLIC_URL. Endpoints that somebody set manually are left alone. */
async function followAddress(deps: DemoDeps, known: LocalFile): Promise<LocalFile> {
  const { publicUrl } = deps.config
  const url = receiverOf(deps)
  if (known.base_url === publicUrl && known.webhook.url === url) return known
  const endpoints = await endpointsOf(deps, known.tenant_id)
  const ours = endpoints.find((endpoint) => endpoint.url === known.webhook.url)
  if (ours === undefined) return { ...known, base_url: publicUrl }
  await explained(url, changeEndpoint(deps, ours.id, { url }))
  return { ...known, base_url: publicUrl, webhook: { ...known.webhook, url } }
}
