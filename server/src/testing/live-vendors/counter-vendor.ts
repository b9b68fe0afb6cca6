import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Word } from '../../domain/recording/transcriptions/engines/word.ts'
import { COUNTER_RATE, hearCounter } from '../spoken-counter.ts'

// A vendor of live text that hears the numbers of the counter, and talks as Soniox does. It prints its port.
/** Sound between two looks for numbers. */
const LOOK_SAMPLES = COUNTER_RATE / 2
/** Numbers of an utterance. */
const UTTERANCE = 8
/** Silence by which a number has ended. */
const ENDED_SEC = 0.1

const END = { text: '<end>', is_final: true, confidence: 1 }

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
server.on('connection', hear)
await once(server, 'listening')
process.stdout.write(`${(server.address() as AddressInfo).port}\n`)

function hear(socket: WebSocket): void {
  let sound = new Int16Array(0)
  let beforeSec = 0
  let looked = 0
  let said = 0

  function look(): void {
    looked = sound.length
    const words = hearCounter(sound).filter(
      ({ endSec }) => sound.length / COUNTER_RATE - endSec > ENDED_SEC,
    )
    const tokens = words.flatMap((word) => {
      said += 1
      return said % UTTERANCE === 0 ? [tokenOf(word, beforeSec), END] : [tokenOf(word, beforeSec)]
    })
    socket.send(JSON.stringify({ tokens }))
    const heard = Math.round((words.at(-1)?.endSec ?? 0) * COUNTER_RATE)
    sound = sound.slice(heard)
    looked = sound.length
    beforeSec += heard / COUNTER_RATE
  }

  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      const bytes = Uint8Array.from(data)
      const pcm = new Int16Array(bytes.buffer)
      const longer = new Int16Array(sound.length + pcm.length)
      longer.set(sound)
      longer.set(pcm, sound.length)
      sound = longer
      if (sound.length - looked >= LOOK_SAMPLES) look()
      return
    }
    // An empty text ends the stream.
    if (data.length > 0) return
    look()
    socket.send(JSON.stringify({ tokens: [END], finished: true }))
    socket.close(1000)
  })
}

function tokenOf({ text, startSec, endSec }: Word, beforeSec: number) {
  const times = { start_ms: (beforeSec + startSec) * 1000, end_ms: (beforeSec + endSec) * 1000 }
  return { text, ...times, is_final: true, confidence: 1 }
}
