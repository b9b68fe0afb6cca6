import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { issueApiKey } from '../../platform/tenants/issue-api-key.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { toAnswer } from '../../testing/tenant-client.ts'

const logged = new PassThrough()
const plane = useControlPlane({ log: pino({ level: 'info' }, logged) })

/** The answer to a call with this header, and the refusal's log line. */
async function call(authorization: string | undefined) {
  const headers = authorization === undefined ? {} : { authorization }
  const answer = toAnswer(await plane.app.inject({ url: '/api/v1/api-keys', headers }))
  const lines = String(logged.read())
  const line = lines.split('\n').find((each) => each.includes('credential refused'))
  return { answer, lines, refusal: JSON.parse(line ?? '{}') as Record<string, unknown> }
}

// contract: API key › all failures yield the same 401 UNAUTHORIZED
test('a refused API key gets the same answer for every reason, and only the log has the reason', async () => {
  const { tenantId } = plane.tenant
  const { keyId, apiKey } = await issueApiKey(plane.deps.db, { tenantId, note: null })
  const [, secret = ''] = apiKey.split('.')
  const calls = {
    KEY_MISSING: undefined,
    KEY_MALFORMED: `Bearer ${apiKey}`,
    KEY_UNKNOWN: `ApiKey key_none.${secret}`,
    SECRET_WRONG: `ApiKey ${keyId}.${secret.toUpperCase()}`,
    // A key with only the scope `control`.
    SCOPE_MISSING: `ApiKey ${apiKey}`,
  }
  const answers = new Set<string>()
  for (const [reasonCode, authorization] of Object.entries(calls)) {
    const { answer, lines, refusal } = await call(authorization)
    const requestId = answer.headers['x-request-id']
    expect(refusal).toMatchObject({ reasonCode, requestId, reason: expect.stringMatching(/\w/) })
    expect(lines).not.toContain(secret)
    answers.add(`${answer.status} ${answer.text}`)
  }
  expect([...answers]).toEqual([
    '401 {"success":false,"error":{"code":"UNAUTHORIZED",' +
      '"message":"The credential is missing or not valid."}}',
  ])
})
