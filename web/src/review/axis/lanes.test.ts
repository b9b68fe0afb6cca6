import type { TimelineItem } from '@interview-room/contract/recording-reports.ts'
import { describe, expect, test } from 'vitest'
import { type AxisSources, itemsOf } from './lanes.ts'

const at = (offset: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, offset)).toISOString()
const event = (type: string, offset_sec: number, payload: TimelineItem['payload'] = null) => ({
  type,
  at: at(offset_sec),
  offset_sec,
  payload,
})
const comment = (id: string, given: object) => ({
  id,
  recording_id: 'r',
  viewer: { reference: 's', name: 'Sato' },
  offset_sec: null,
  end_sec: null,
  reply_to: null,
  text: 'words',
  is_resolved: false,
  created_at: at(0),
  updated_at: null,
  ...given,
})
const sources = (given: Partial<AxisSources>): AxisSources => ({
  timeline: undefined,
  completeness: undefined,
  comments: [],
  clips: [],
  durationSec: 100,
  ...given,
})
const placesIn = (items: TimelineItem[]) =>
  itemsOf(sources({ timeline: { segments: [], items } })).map(({ lane, startSec, endSec }) => [
    lane,
    startSec,
    endSec,
  ])

describe('the lanes of the axis', () => {
  test('show a handout and a screen while they were seen', () => {
    const items = [
      event('handout.show', 5, { handout_id: 'a' }),
      event('screen.started', 6, { participant_id: 'p' }),
      event('handout.show', 9, { handout_id: 'b' }),
      event('screen.ended', 12, { participant_id: 'q' }),
      event('screen.ended', 20, { participant_id: 'p' }),
    ]
    expect(placesIn(items)).toEqual([
      ['handout', 5, 9],
      ['handout', 9, 100],
      ['screen', 6, 20],
    ])
  })

  test('name a handout by its title, or by its file for those who know it', () => {
    const items = [
      event('handout.show', 1, { handout_id: 'a', title: 'Package, front', file_name: 'plan.png' }),
      event('handout.show', 2, { handout_id: 'a', title: null, file_name: 'plan.png' }),
      event('handout.show', 3, { handout_id: 'a', title: null }),
    ]
    const notes = itemsOf(sources({ timeline: { segments: [], items } })).map(({ note }) => note)
    expect(notes).toEqual(['Package, front', 'plan.png', null])
  })

  test('keep the chats apart by who could read them', () => {
    const items = ['observer_only', 'public', 'private'].map((visibility, sec) =>
      event('chat.message', sec, { visibility, text: 'words' }),
    )
    expect(placesIn(items)).toEqual([
      ['chatPublic', 1, null],
      ['chatPrivate', 2, null],
      ['chatObservers', 0, null],
    ])
  })

  test('leave out events of types that they do not know', () => {
    expect(placesIn([event('something.new', 3)])).toEqual([])
  })

  test('show a pause where the file goes on, and a gap by the clock of the interview', () => {
    const segments = [
      { started_at: at(0), ended_at: at(40), offset_sec: 0 },
      { started_at: at(100), ended_at: at(160), offset_sec: 40 },
    ]
    const gap = { started_at: at(30), ended_at: at(110), duration_sec: 20, reason: 'no_media' }
    const person = {
      participant_id: null,
      role: 'panelist',
      display_name: 'Pana',
      expected_sec: 100,
      actual_sec: 80,
      gaps: [gap],
      short_gaps_sec: 0,
    } as const
    const items = itemsOf(
      sources({
        timeline: { segments, items: [] },
        completeness: { people: [person as never] },
      }),
    )
    expect(items).toMatchObject([
      { lane: 'break', what: 'gap.no_media', startSec: 30, endSec: 50, who: 'Pana' },
      { lane: 'break', what: 'pause', startSec: 40, endSec: null, missingSec: 60 },
    ])
  })

  test('show comments of a place, and neither answers nor comments about all of it', () => {
    const comments = [
      comment('whole', {}),
      comment('place', { offset_sec: 7, end_sec: 9 }),
      comment('answer', { reply_to: 'place' }),
    ]
    expect(itemsOf(sources({ comments }))).toMatchObject([
      { id: 'place', lane: 'comment', startSec: 7, endSec: 9, who: 'Sato' },
    ])
  })
})
