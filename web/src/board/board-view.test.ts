import { describe, expect, test } from 'vitest'
import { openTabStorage } from '../live/tab-storage.ts'
import {
  countsOf,
  keepView,
  recallView,
  roomsInView,
  type Show,
  WHOLE_BOARD,
} from './board-view.ts'
import { at, panelist, room } from './testing/rooms.ts'

const nowMs = Date.parse(at(30))
const ROOMS = [
  room('running', 0),
  { ...room('ＡＢＣ研究', 0, [['RESPONDENT_MISSING', 5]]), people: [panelist('Hanako Sato')] },
  room('unrecorded', 10, [
    ['RECORDING_NOT_ACTIVE', 20],
    ['MODERATOR_MISSING', 20],
  ]),
  room('upcoming', 60),
  room('over', -40),
]
const CALL = room('call', 60, [['HELP_REQUESTED', 29]])

const shown = (show: Show, search = '', rooms = ROOMS) =>
  roomsInView(rooms, { show, search }, nowMs).rooms.map(({ id }) => id)

describe('a filter', () => {
  test.each<[Show, string[]]>([
    ['all', ROOMS.map(({ id }) => id)],
    ['alarms', ['ＡＢＣ研究', 'unrecorded']],
    ['help', []],
    ['recording', ['unrecorded']],
    ['connection', []],
    ['missing', ['ＡＢＣ研究', 'unrecorded']],
    ['running', ['running', 'ＡＢＣ研究', 'unrecorded']],
    ['upcoming', ['upcoming']],
  ])('%s shows its rooms, and counts them', (show, ids) => {
    expect(shown(show)).toEqual(ids)
    expect(countsOf(ROOMS, nowMs)[show]).toBe(ids.length)
  })

  test.each<[Show, string]>([
    ['recording', ''],
    ['running', ''],
    ['all', 'nothing like it'],
  ])('%s with the search "%s" never hides a call for help, and counts it', (show, search) => {
    const view = roomsInView([...ROOMS, CALL], { show, search }, nowMs)
    expect(view.rooms).toContain(CALL)
    expect(view.unasked).toBe(1)
  })

  test('that matches a call for help notes nothing', () => {
    expect(roomsInView([...ROOMS, CALL], { show: 'upcoming', search: '' }, nowMs).unasked).toBe(0)
  })
})

describe('the search', () => {
  test.each([
    ['HANAKO', ['ＡＢＣ研究']],
    [' abc ', ['ＡＢＣ研究']],
    ['ｕｐｃｏｍｉｎｇ', ['upcoming']],
    ['satoover', []],
  ])('%s finds %j', (search, ids) => {
    expect(shown('all', search)).toEqual(ids)
  })

  test('and a filter apply together', () => {
    expect(shown('alarms', 'running')).toEqual([])
  })
})

describe('the view of a tab', () => {
  const storage = openTabStorage({
    get sessionStorage(): Storage {
      throw new Error('blocked')
    },
  })

  test('is the whole board at first, and then the last one', () => {
    expect(recallView(storage)).toEqual(WHOLE_BOARD)
    keepView(storage, { show: 'help', search: 'Hanako' })
    expect(recallView(storage)).toEqual({ show: 'help', search: 'Hanako' })
  })

  test.each(['{"show":"colour"}', 'no json', '{"search":7}'])('%s is the whole board', (kept) => {
    storage.setItem('board-view', kept)
    expect(recallView(storage)).toEqual(WHOLE_BOARD)
  })
})
