import { execFileSync } from 'node:child_process'

/**
 * A program for `TRANSCRIPTION_LOCAL_COMMAND`: hears an English WAV file by pocketsphinx and prints
 * its words as JSON.
 */
const OUTPUT_MAX = 50 * 1024 * 1024
/** A word and its times, as `-time yes` prints it; behind the word stands which pronunciation it was. */
const WORD = /^([a-z][a-z'.-]*)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) \d+\.\d+$/gm

const [audio = ''] = process.argv.slice(2)
const printed = execFileSync('pocketsphinx_continuous', ['-infile', audio, '-time', 'yes'], {
  encoding: 'utf8',
  maxBuffer: OUTPUT_MAX,
  stdio: ['ignore', 'pipe', 'ignore'],
})
const words = [...printed.matchAll(WORD)].map(([, word, start, end]) => ({
  word,
  start: Number(start),
  end: Number(end),
}))
process.stdout.write(JSON.stringify({ words }))
