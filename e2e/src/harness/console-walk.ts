import type { Page } from 'playwright-core'
import type { PageStateName } from '../page-states.ts'
import { keyField, rows, sectionButton, signInButton } from './console-page.ts'
import { NAMES, type PageRecorder, SESSION_NAME } from './page-recorder.ts'
import { startReceiver } from './receiver.ts'
import { freePort } from './service.ts'
import { actAsTenant } from './tenant.ts'
import { SOON, waitFor } from './wait.ts'

const FIRST = 'participant.entered'

type Look = (page: Page, name: PageStateName) => Promise<void>

/** The rooms of a day and the deliveries of a tenant of its own, in whose only room somebody is. */
export async function expectConsole(recorder: PageRecorder, look: Look): Promise<void> {
  const receiver = await startReceiver(await freePort())
  const { api_key: key } = await makeBusyTenant(recorder, receiver.url)
  await waitFor(() => receiver.received.some(({ type }) => type === FIRST), { what: FIRST })
  const { page, context } = await recorder.openLink(
    `${recorder.env.service.local.base_url}/console`,
    { hasDevices: false },
  )
  await keyField(page).fill(key)
  await signInButton(page).click(SOON)
  await rows(page, 'rooms').getByText(SESSION_NAME).click(SOON)
  await look(page, 'console-rooms')
  await sectionButton(page, 'deliveries').click(SOON)
  await rows(page, 'deliveries').getByText(FIRST).click(SOON)
  await look(page, 'console-deliveries')
  await context.close()
  await receiver.down()
}

/** A sandbox, so that somebody enters without a browser. */
async function makeBusyTenant({ env }: PageRecorder, url: string): Promise<{ api_key: string }> {
  const admin = async <T>(...args: string[]) => (await env.service.admin(...args)) as T
  const named = ['--name', 'Console', '--sandbox']
  const { tenant_id } = await admin<{ tenant_id: string }>('tenants', 'create', ...named)
  const whose = ['--tenant', tenant_id]
  const scopes = ['--scope', 'control', '--scope', 'manage', '--note', 'console']
  const issued = await admin<{ api_key: string }>('api-keys', 'issue', ...whose, ...scopes)
  await admin('webhooks', 'set', ...whose, '--url', url)
  const tenant = actAsTenant({ ...env.service.local, tenant_id, api_key: issued.api_key })
  const room = await tenant.book({ name: SESSION_NAME })
  const body = { role: 'panelist', name: NAMES.panelist } as const
  await tenant.api.addSimulatedPerson({ params: { room_id: room.id }, body })
  return issued
}
