import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Word } from '@interview-room/server/src/domain/recording/transcriptions/engines/word.ts'
import { COUNTER_RATE, hearCounter } from '@interview-room/server/src/testing/spoken-counter.ts'

export interface SpeechServer {
  url: string
  /** Seconds of each audio that it received. */
  heardSec: number[]
  stop: () => Promise<void>
}

const WORDS_OF_A_LINE = 7

/** Has the API of Whisper servers (`verbose_json`), and recognises the spoken counter. */
export async function startSpeechServer(ffmpeg: string): Promise<SpeechServer> {
  const heardSec: number[] = []
  const server = createServer((request, response) => {
    void hear(request, ffmpeg).then((samples) => {
      heardSec.push(samples.length / COUNTER_RATE)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(verboseOf(samples)))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    heardSec,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function hear(request: IncomingMessage, ffmpeg: string): Promise<Int16Array> {
  const headers = { 'content-type': String(request.headers['content-type']) }
  const form = await new Response(await buffer(request), { headers }).formData()
  const file = form.get('file')
  if (!(file instanceof Blob)) throw new Error('a call without an audio')
  const args = `-hide_banner -loglevel error -i pipe:0 -f s16le -ar ${COUNTER_RATE} -ac 1 pipe:1`
  const program = spawn(ffmpeg, args.split(' '), { stdio: ['pipe', 'pipe', 'inherit'] })
  const [bytes] = await Promise.all([
    buffer(program.stdout),
    pipeline(Readable.from([Buffer.from(await file.arrayBuffer())]), program.stdin),
  ])
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
}

/**
 * Groups the words into lines from the start of this audio, so that the lines of two audios never have the same
 * words.
 */
function verboseOf(samples: Int16Array) {
  const words = hearCounter(samples)
  const lines: Word[][] = []
  for (let from = 0; from < words.length; from += WORDS_OF_A_LINE) {
    lines.push(words.slice(from, from + WORDS_OF_A_LINE))
  }
  return {
    task: 'transcribe',
    language: 'english',
    duration: samples.length / COUNTER_RATE,
    text: words.map(({ text }) => text).join(''),
    words: words.map(({ text, startSec, endSec }) => ({
      word: text.trim(),
      start: startSec,
      end: endSec,
    })),
    segments: lines.map((line, id) => ({
      id,
      start: line[0]?.startSec ?? 0,
      end: line.at(-1)?.endSec ?? 0,
      text: line.map(({ text }) => text).join(''),
    })),
  }
}
