import { describe, expect, test } from 'vitest'
import { Drafts } from './drafts.ts'
import { openFakePage } from './testing/fake-page.ts'

describe('the unsent text of a chat', () => {
  test('is found again after a reload, in its room and chat only, until it is sent', () => {
    const kept = new Map<string, string>()
    const open = (roomId: string) => new Drafts(openFakePage('/', kept).page.storage, roomId)
    open('r1').set('public', 'I was about to')
    expect(open('r1').get('public')).toBe('I was about to')
    expect(open('r1').get('private')).toBe('')
    expect(open('r2').get('public')).toBe('')
    open('r1').set('public', '')
    expect(kept.size).toBe(0)
  })

  test('is kept without storage for as long as the page lives', () => {
    const drafts = new Drafts(openFakePage('/', null).page.storage, 'r1')
    drafts.set('public', 'Hello')
    expect(drafts.get('public')).toBe('Hello')
  })
})
