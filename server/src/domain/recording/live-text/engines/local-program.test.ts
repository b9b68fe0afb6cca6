import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { collectTexts } from '../../../../testing/live-vendors/collect-texts.ts'
import { waitFor } from '../../../../testing/wait-for.ts'
import { createLiveProgram } from './local-program.ts'

const stops: AbortController[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort()
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

function open(script: string, given: { translateTo?: string; more?: string[] } = {}) {
  const { translateTo = null, more = [] } = given
  const command = [process.execPath, '-e', script, ...more] as const
  const engine = createLiveProgram({ command, withheld: new Set(['DATABASE_URL']) })
  const heard = collectTexts()
  const stop = new AbortController()
  stops.push(stop)
  const options = { language: 'ja-JP', translateTo, signal: stop.signal }
  return { stream: engine.open(options, heard.sink), stop, ...heard }
}

/** Prints what it is told to at its start. */
const printing = (...lines: readonly unknown[]) => `
  for (const line of ${JSON.stringify(lines)}) {
    console.log(typeof line === 'string' ? line : JSON.stringify(line))
  }
  process.stdin.resume()
`
/** Says how many bytes it had, at the end of its input. */
const COUNTING = `
  let bytes = 0
  process.stdin.on('data', (chunk) => { bytes += chunk.length })
  process.stdin.on('end', () => {
    console.log(JSON.stringify({ type: 'final', text: String(bytes), start: 0, end: 1 }))
  })
`
const SECOND = new Int16Array(16_000)

/** A process that has ended may remain as a zombie until its parent notices. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}

describe('a local program', () => {
  test('reads the sound, and ends when its input does', async () => {
    const { stream, said, ends } = open(COUNTING)
    for (let second = 0; second < 3; second += 1) stream.push(SECOND)
    stream.end()
    await waitFor(() => ends.length > 0)
    expect([said(), ends]).toEqual([['96000'], [null]])
  })

  test('prints texts and translations, which are cleaned; other lines are ignored', async () => {
    const { stream, texts, ends } = open(
      printing(
        'loading the model…',
        { type: 'partial', text: 'おは', start: 0, end: 0.5 },
        {
          type: 'final',
          text: ' おはよう\u0007 ',
          start: 0,
          end: 0.9,
          translation: 'Good morning',
        },
        { type: 'surprise', text: 'x' },
        { type: 'partial', text: '' },
        { type: 'final', text: '今日は', start: 400, end: null },
      ),
      { translateTo: 'en-US' },
    )
    stream.push(SECOND)
    stream.end()
    await waitFor(() => ends.length > 0)
    const short = texts.map(({ segment, text, isFinal, language }) =>
      [segment, text, isFinal, language].join(),
    )
    expect(short).toEqual([
      '0,おは,false,ja-JP',
      '0,おはよう,true,ja-JP',
      '0,Good morning,true,en-US',
      '1,今日は,true,ja-JP',
    ])
    expect(texts.at(-1)).toMatchObject({ startSec: 1, endSec: 1 })
  })

  test('gets language, target and the environment, but none of the settings of the service', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://user:secret@db/rooms')
    vi.stubEnv('CUDA_VISIBLE_DEVICES', '3')
    const script = `
      const { DATABASE_URL, CUDA_VISIBLE_DEVICES } = process.env
      const text = [...process.argv.slice(1), DATABASE_URL, CUDA_VISIBLE_DEVICES].join()
      console.log(JSON.stringify({ type: 'final', text, start: 0, end: 1 }))
      process.stdin.resume()
    `
    const more = ['{language}', '{lang}', '{target}']
    const { stream, said, ends } = open(script, { translateTo: 'en-US', more })
    stream.end()
    await waitFor(() => ends.length > 0)
    expect(said()).toEqual(['ja-JP,ja,en,,3'])
  })

  test('that does not end by itself is killed, and that is an error', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const script = `
      console.log(JSON.stringify({ type: 'final', text: String(process.pid), start: 0, end: 1 }))
      setInterval(() => {}, 1e6)
    `
    const { stream, said, ends } = open(script)
    await vi.waitFor(() => expect(said().length).toBe(1), { timeout: 60_000 })
    stream.end()
    vi.advanceTimersByTime(5_000)
    expect(ends).toEqual(['the program does not end'])
    vi.useRealTimers()
    await waitFor(() => !isRunning(Number(said()[0])))
  })

  test('is killed at once when the stream is aborted', async () => {
    const script = `
      console.log(JSON.stringify({ type: 'final', text: String(process.pid), start: 0, end: 1 }))
      setInterval(() => {}, 1e6)
    `
    const { stop, said, ends } = open(script)
    await waitFor(() => said().length > 0)
    stop.abort()
    expect(ends).toEqual([null])
    await waitFor(() => !isRunning(Number(said()[0])))
  })

  test.each([
    ['ends by itself', 'process.exit(0)', 'the program ended'],
    ['fails', 'process.exit(3)', 'the program ended'],
  ])('that %s is an error', async (_what, script, message) => {
    const { ends } = open(script)
    await waitFor(() => ends.length > 0)
    expect(ends).toEqual([message])
  })

  test('that does not exist is an error', async () => {
    const engine = createLiveProgram({ command: ['/no/such/program'], withheld: new Set() })
    const { sink, ends } = collectTexts()
    const { signal } = new AbortController()
    engine.open({ language: 'ja-JP', translateTo: null, signal }, sink)
    await waitFor(() => ends.length > 0)
    expect(ends).toEqual(['the program cannot be run'])
  })

  test('that prints nothing to 30 seconds of sound is an error', () => {
    const { stream, ends } = open('process.stdin.resume()')
    for (let second = 0; second < 30; second += 1) stream.push(SECOND)
    expect(ends).toEqual([])
    stream.push(SECOND)
    expect(ends).toEqual(['the program is silent'])
  })

  test('that reads too slowly is an error', async () => {
    const script = `
      setInterval(() => console.log(JSON.stringify({ type: 'partial', text: '' })), 1)
    `
    const { stream, ends } = open(script)
    await waitFor(() => {
      stream.push(SECOND)
      return ends.length > 0
    })
    expect(ends).toEqual(['the program is too slow'])
  })
})
