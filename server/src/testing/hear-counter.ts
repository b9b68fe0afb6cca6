import { readFile } from 'node:fs/promises'
import { hearCounter } from './spoken-counter.ts'

// A local engine: prints the numbers that the counter says in a WAV file, as JSON.
const bytes = await readFile(String(process.argv[2]))
const from = bytes.indexOf('data') + 8
const words = hearCounter(new Int16Array(bytes.buffer.slice(bytes.byteOffset + from)))
const said = words.map(({ text, startSec, endSec }) => ({
  word: text.trim(),
  start: startSec,
  end: endSec,
}))
process.stdout.write(JSON.stringify({ words: said }))
