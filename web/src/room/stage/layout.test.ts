import { expect, test } from 'vitest'
import { featuredOf, inOrder } from './layout.ts'

const people = [
  { identity: 'me', isLocal: true, role: 'panelist' },
  { identity: 'a', isLocal: false, role: 'moderator' },
  { identity: 'b', isLocal: false, role: 'panelist' },
] as const
const none = {
  layout: 'grid',
  pinnedIdentity: null,
  spotlight: null,
  lastSpeaker: null,
  isRespondent: true,
} as const

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
  const [me] = people
  expect(featuredOf([me], { ...none, layout: 'speaker' })).toBe(null)
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

test('a respondent is large for everybody else, whoever speaks', () => {
  const seen = [
    { identity: 'me', isLocal: true, role: 'moderator' },
    { identity: 'colleague', isLocal: false, role: 'moderator' },
    { identity: 'first', isLocal: false, role: 'panelist' },
    { identity: 'second', isLocal: false, role: 'panelist' },
  ] as const
  const watching = { ...none, layout: 'speaker', isRespondent: false } as const
  expect(featuredOf(seen, { ...watching, lastSpeaker: 'colleague' })).toBe('first')
  expect(featuredOf(seen, { ...watching, lastSpeaker: 'second' })).toBe('second')
  expect(featuredOf(seen.slice(0, 2), watching)).toBe('colleague')
})

test('respondents come first for everybody else, and oneself comes last', () => {
  expect(inOrder(people, false).map(({ identity }) => identity)).toEqual(['b', 'a', 'me'])
  expect(inOrder(people, true).map(({ identity }) => identity)).toEqual(['a', 'b', 'me'])
})
