import { POSTED_EVENT_AUDIENCE } from '@interview-room/contract/live-moderation.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { expect, test } from 'vitest'
import { toolsOf } from './tools-of.ts'

const sends = (type: keyof typeof POSTED_EVENT_AUDIENCE, role: Role) =>
  (POSTED_EVENT_AUDIENCE[type].senders as readonly Role[]).includes(role)

test.each(ROLES)('%s is offered what the service accepts', (role) => {
  expect(toolsOf(role)).toEqual({
    canMark: sends('marker', role),
    canRaiseHand: sends('hand.raised', role) && sends('hand.lowered', role),
    canCallForHelp: sends('help.requested', role),
  })
})
