import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { toAnswer } from '../../testing/tenant-client.ts'

const logged = new PassThrough()
const plane = useControlPlane({ log: pino({ level: 'info' }, logged), clock: () => new Date() })
let tenant: ActingTenant
let roomId: string

beforeAll(async () => {
  tenant = await createActingTenant(plane.deps)
  ;({ roomId } = await tenant.addRoom())
})

/** The answer to an entry with this token, and the lines of the log. */
async function enter(token: string) {
  const url = `/api/v1/rooms/${roomId}/live/entry`
  const headers = { authorization: `Bearer ${token}` }
  const answer = toAnswer(await plane.app.inject({ method: 'POST', url, headers }))
  return { answer, lines: String(logged.read()) }
}

describe('a participant token that is refused', () => {
  // contract: enterRoom › 401 UNAUTHORIZED: the log of the service has the reason, and never the token
  test.each([
    ['ROOM_MISMATCH', { room_id: '019a2f6e-0d31-7c51-8f02-77c1d9b4e210' }],
    ['NAME_INVALID', { name: 7 }],
    ['PARTICIPANT_INVALID', { participant: 'Hanako' }],
  ])('has %s in the log under the id of the request, and never the token', async (code, claims) => {
    const token = await tenant.signToken({ roomId, ...claims })
    const { answer, lines } = await enter(token)
    expect([answer.status, answer.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(answer.text).not.toContain(code)
    const [line] = lines.split('\n').filter((each) => each.includes('credential refused'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      reasonCode: code,
      reason: expect.stringMatching(/\w/),
      requestId: answer.headers['x-request-id'],
    })
    for (const part of token.split('.').slice(1)) expect(lines).not.toContain(part)
  })
})
