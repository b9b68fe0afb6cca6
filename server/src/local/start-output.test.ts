import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { createProgress, type Progress } from './progress.ts'
import { createStartLog } from './start-log.ts'

/** The printed text; `\r` goes to the beginning of the last line, `ESC [K` clears it. */
let printed: string
let progress: Progress

const shown = () =>
  printed
    // oxlint-disable-next-line no-control-regex -- these are terminal control sequences
    .replaceAll(/[^\n]*\r\u001B\[K/g, '')
    .replaceAll(/\d+\.\d s/g, '0.0 s')
    .split('\n')

const write = (text: string) => void (printed += text)

/** Runs the output as `npm start` does; returns the service's log. */
function start({ isTerminal }: { isTerminal: boolean }) {
  progress = createProgress({ write, isTerminal })
  return pino({}, createStartLog({ progress, stream: { write }, isTerminal }))
}

beforeEach(() => {
  printed = ''
})

describe('the output of npm start in a terminal', () => {
  test('is a line for each step, which begins before the work and ends after it', async () => {
    start({ isTerminal: true })
    await progress.step('PostgreSQL', async () => expect(shown()).toEqual(['  PostgreSQL …']))
    await progress.step('Media server', async () => {})
    expect(shown()).toEqual(['  PostgreSQL … ready (0.0 s)', '  Media server … ready (0.0 s)', ''])
  })

  test('is the log in readable lines, with its fields and errors', () => {
    const log = start({ isTerminal: true })
    log.info({ route: '/health', status: 200 }, 'request')
    log.error({ err: new Error('no room') }, 'defect')
    const [request, defect, ...more] = shown()
    expect(request).toMatch(
      /^\[\d\d:\d\d:\d\d\] INFO: request \{"route":"\/health","status":200\}$/,
    )
    expect(defect).toMatch(/^\[\d\d:\d\d:\d\d\] ERROR: defect/)
    expect(more.join('\n')).toContain('Error: no room\n')
  })

  test('are whole lines, even if something is logged or printed during a step', async () => {
    const log = start({ isTerminal: true })
    await progress.step('Service', async () => {
      log.info('Server listening')
      progress.problem('a port is taken')
    })
    expect(shown()).toEqual([
      expect.stringMatching(/INFO: Server listening$/),
      '  ! a port is taken',
      '  Service … ready (0.0 s)',
      '',
    ])
  })

  test('prints how an interrupted step ended after the next one has begun', async () => {
    start({ isTerminal: true })
    const ended = Promise.withResolvers<void>()
    const service = progress.step('Service', () => ended.promise)
    const stop = async () => {
      ended.reject(new Error('stopped'))
      await service.catch(() => {})
    }
    await progress.step('Stopping', stop, 'stopped')
    expect(shown()).toEqual(['  Service … failed', '  Stopping … stopped', ''])
  })
})

describe('the output of npm start in a file', () => {
  test('is the log as JSON, and no control characters, in whole lines', async () => {
    const log = start({ isTerminal: false })
    await progress.step('Service', async () => {
      log.info({ status: 200 }, 'request')
    })
    const [begun, logged = '', ended, ...rest] = shown()
    expect([begun, ended, rest]).toEqual(['  Service …', '  Service … ready (0.0 s)', ['']])
    expect(JSON.parse(logged)).toMatchObject({ level: 30, status: 200, msg: 'request' })
  })
})
