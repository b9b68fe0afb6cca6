import { COUNTER_RATE, hearCounter } from './spoken-counter.ts'

// A local engine of live text: prints each number that the counter says in the sound on its standard input.
/** Silence that ends a number. */
const ENDPOINT = 0.4 * COUNTER_RATE

/** Sound since the last number. */
let samples: number[] = []
/** Samples before it. */
let before = 0
let rest = Buffer.alloc(0)

process.stdin.on('data', (chunk: Buffer) => {
  const bytes = Buffer.concat([rest, chunk])
  const whole = bytes.length - (bytes.length % 2)
  rest = bytes.subarray(whole)
  for (let at = 0; at < whole; at += 2) samples.push(bytes.readInt16LE(at))
  const [word] = hearCounter(Int16Array.from(samples))
  const hasEnded = word !== undefined && samples.length - word.endSec * COUNTER_RATE > ENDPOINT
  if (!hasEnded) return
  const start = before / COUNTER_RATE + word.startSec
  const end = before / COUNTER_RATE + word.endSec
  process.stdout.write(`${JSON.stringify({ type: 'final', text: word.text.trim(), start, end })}\n`)
  before += samples.length
  samples = []
})
