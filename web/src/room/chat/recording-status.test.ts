import { expect, test } from 'vitest'
import { recordingStatuses } from './recording-status.ts'

const status = (id: string, text: string) => ({ id, content_type: 'archive_status', text }) as const
const words = (id: string) => ({ id, content_type: 'text', text: 'paused' }) as const

test('a recording that starts after a pause has resumed, whatever messages are in between', () => {
  const messages = [
    status('1', 'started'),
    status('2', 'paused'),
    words('3'),
    status('4', 'started'),
    status('5', 'stopped'),
    status('6', 'started'),
  ]
  expect([...recordingStatuses(messages).values()]).toEqual([
    'started',
    'paused',
    'resumed',
    'stopped',
    'started',
  ])
})

test('messages of people have no status, and an unknown status stays as it is', () => {
  expect([...recordingStatuses([words('1'), status('2', 'later')])]).toEqual([['2', 'later']])
})
