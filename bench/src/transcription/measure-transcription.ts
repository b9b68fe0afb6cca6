import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findFfmpeg } from '@interview-room/server/src/platform/media-files/find-ffmpeg.ts'
import {
  counterWords,
  makeCounterVideo,
} from '@interview-room/server/src/testing/spoken-counter.ts'
import { machine } from '../machine.ts'
import { cpuSecOf, cpuSecOfChildren } from '../process-usage.ts'
import { type Stage, setStage } from '../recording-stage.ts'
import { round } from '../statistics.ts'
import { type SpeechServer, startSpeechServer } from './speech-server.ts'
import { watchMemory } from './watch-memory.ts'

/** The mean time that the counter takes for a number. */
const WORD_SEC = 0.725
const LOOK_EVERY_MS = 200

interface Row {
  minutes: number
  words: number
  /** Numbers that are missing, doubled or out of place. The goal is 0. */
  wrong: number
  /** Parts that were sent to the engine. */
  parts: number
  longestSec: number
  wallSec: number
  cpuSec: number
  rssBeforeMiB: number
  rssPeakMiB: number
  ffmpegPeakMiB: number
}

/** Transcribes a spoken counter of several lengths, and measures the errors and the memory that it takes. */
export async function measureTranscription(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { minutes: { type: 'string', default: '10,30,90' } },
  })
  const speech = await startSpeechServer(await findFfmpeg(undefined))
  const rows: Row[] = []
  try {
    for (const minutes of values.minutes.split(',').map(Number)) {
      rows.push(await measure(speech, minutes))
    }
  } finally {
    await speech.stop()
  }
  console.table(rows)
  console.log(JSON.stringify({ bench: 'transcription', machine: machine(), rows }))
}

/** Each run has its own service, because memory left by an earlier run would count in the next. */
async function measure(speech: SpeechServer, minutes: number): Promise<Row> {
  const seconds = minutes * 60
  const count = Math.floor(seconds / WORD_SEC)
  speech.heardSec.length = 0
  const stage = await setStage({
    seconds,
    video: (ffmpeg, file) => makeCounterVideo(ffmpeg, { file, count }),
    settings: { TRANSCRIPTION_ENGINE_C: 'openai', TRANSCRIPTION_OPENAI_URL: speech.url },
  })
  try {
    const cpuSec = () => cpuSecOf(stage.pid) + cpuSecOfChildren(stage.pid)
    const [cpuBefore, begunAt] = [cpuSec(), performance.now()]
    const memory = watchMemory(stage.pid)
    const heard = await transcribe(stage)
    const peaks = memory.end()
    const expected = counterWords(count)
    const places = Math.max(heard.length, expected.length)
    return {
      minutes,
      words: heard.length,
      wrong: Array.from({ length: places }).filter((_, at) => heard[at] !== expected[at]).length,
      parts: speech.heardSec.length,
      longestSec: round(Math.max(...speech.heardSec)),
      wallSec: round((performance.now() - begunAt) / 1000),
      cpuSec: round(cpuSec() - cpuBefore),
      rssBeforeMiB: round(memory.nowMiB),
      rssPeakMiB: round(peaks.ownMiB),
      ffmpegPeakMiB: round(peaks.childrenMiB),
    }
  } finally {
    await stage.close()
  }
}

/** The words of the transcript, in order. */
async function transcribe({ call, recordingId, origin }: Stage): Promise<string[]> {
  const order = { language: 'en-US', provider: 'engine_c' }
  const { status, data } = await call('POST', `/recordings/${recordingId}/transcriptions`, order)
  if (status !== 201) throw new Error(`the transcription was refused with ${status}`)
  for (;;) {
    const { data: now } = await call('GET', `/transcriptions/${String(data['id'])}`)
    if (now['status'] === 'done') return wordsAt(now['result_url'], origin)
    if (/error/.test(String(now['status']))) throw new Error(`it ended as ${String(now['status'])}`)
    await delay(LOOK_EVERY_MS)
  }
}

async function wordsAt(resultUrl: unknown, origin: string): Promise<string[]> {
  const { pathname, search } = new URL(String(resultUrl))
  const text = await (await fetch(origin + pathname + search)).text()
  const lines = text.match(/^\d[\d ]*$/gm) ?? []
  return lines.flatMap((line) => line.split(' '))
}
