import { expect, test } from 'vitest'
import { featuredOf } from './layout.ts'

const people = [
  { identity: 'me', isLocal: true },
  { identity: 'a', isLocal: false },
  { identity: 'b', isLocal: false },
]
const none = { layout: 'grid', pinnedIdentity: null, spotlight: null, lastSpeaker: null } as const

test('in a grid nobody is larger than the others', () => {
  expect(featuredOf(people, { ...none, lastSpeaker: 'a' })).toBe(null)
})

test('the last speaker is large, and before anybody speaks the first of the others', () => {
  expect(featuredOf(people, { ...none, layout: 'speaker' })).toBe('a')
  expect(featuredOf(people, { ...none, layout: 'speaker', lastSpeaker: 'b' })).toBe('b')
})

test('a pinned person stays large in every layout, for as long as they are present', () => {
  expect(featuredOf(people, { ...none, pinnedIdentity: 'b' })).toBe('b')
  const speaker = { ...none, layout: 'speaker', lastSpeaker: 'a' } as const
  expect(featuredOf(people, { ...speaker, pinnedIdentity: 'b' })).toBe('b')
  expect(featuredOf(people, { ...none, pinnedIdentity: 'gone' })).toBe(null)
})

test('a single person has no large video', () => {
  expect(featuredOf([{ identity: 'me', isLocal: true }], { ...none, layout: 'speaker' })).toBe(null)
})

test('the person in the spotlight is large in every layout, unless this page pins somebody else', () => {
  expect(featuredOf(people, { ...none, spotlight: 'b' })).toBe('b')
  expect(featuredOf(people, { ...none, spotlight: 'me' })).toBe('me')
  expect(featuredOf(people, { ...none, layout: 'speaker', spotlight: 'b', lastSpeaker: 'a' })).toBe(
    'b',
  )
  expect(featuredOf(people, { ...none, spotlight: 'b', pinnedIdentity: 'a' })).toBe('a')
  expect(featuredOf(people, { ...none, spotlight: 'gone' })).toBe(null)
})
