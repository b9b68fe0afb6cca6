import { describe, expect, test } from 'vitest'
import { connectionKindOf } from './participant-kind.ts'

const guest = (kind: string) => ({ isPerson: true, guest: { kind, name: 'Ann' } })
const PERSON = { isPerson: true, guest: undefined }
const RECORDER = { isPerson: false, guest: undefined }

describe('a participant of the provider', () => {
  test.each([
    ['without a kind', undefined, undefined, PERSON],
    ['of the ordinary kind', 'STANDARD', undefined, PERSON],
    ['of the ordinary kind by number', 0, undefined, PERSON],
    ['hidden, of the kind agent, without its permission', 'AGENT', { hidden: true }, PERSON],
    ['of the kind egress', 'EGRESS', undefined, RECORDER],
    ['marked as a recorder', 'STANDARD', { recorder: true }, RECORDER],
    ['of the kind agent', 'AGENT', { agent: true }, guest('agent')],
    ['hidden, of the kind agent', 4, { hidden: true, agent: true }, guest('agent')],
    ['marked as an agent', 'STANDARD', { agent: true }, guest('agent')],
    ['of the kind SIP', 'SIP', undefined, guest('sip')],
    ['of the kind ingress', 'INGRESS', undefined, guest('ingress')],
    ['of the kind connector', 'CONNECTOR', undefined, guest('connector')],
    ['of an unknown kind', 'BRIDGE', undefined, PERSON],
  ])('%s is judged by kind and permission', (_what, kind, permission, expected) => {
    expect(connectionKindOf({ kind, name: 'Ann', permission })).toEqual(expected)
  })
})
