import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { installWithApt } from '@interview-room/server/src/local/lib/apt.ts'
import { wavHeader } from './video.ts'
import { SOON } from './wait.ts'

const PACKAGES = ['flite', 'pocketsphinx', 'pocketsphinx-en-us']
/** Files that the packages install. */
const PLACES = [
  '/usr/bin/flite',
  '/usr/bin/pocketsphinx_continuous',
  '/usr/share/pocketsphinx/model/en-us',
]
/** The voice that the recognizer understands best. */
const VOICE = 'slt'
const BEFORE_SEC = 2
const BETWEEN_SEC = 0.8

/** Installs the system's programs for speech synthesis and recognition if they are missing. */
export function findOrInstallSpeech(): void {
  if (PLACES.every((place) => existsSync(place))) return
  installWithApt(PACKAGES)
  if (PLACES.every((place) => existsSync(place))) return
  throw new Error(`The tests of speech need packages of Debian: install ${PACKAGES.join(', ')}.`)
}

/** Sample rate of the spoken text. */
export const SPEECH_RATE = 16_000

/** These sentences as samples of 16 bits, with silence before. */
export function speak(sentences: readonly string[]): Int16Array {
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-room-speech-'))
  try {
    const spoken = sentences.flatMap((sentence) => [sayIn(folder, sentence), silence(BETWEEN_SEC)])
    const bytes = Buffer.concat([silence(BEFORE_SEC), ...spoken])
    return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const silence = (sec: number) => Buffer.alloc(2 * Math.round(sec * SPEECH_RATE))

/** The samples of one sentence: 16 bits, one channel. */
function sayIn(folder: string, sentence: string): Buffer {
  const file = path.join(folder, 'sentence.wav')
  execFileSync('flite', ['-voice', VOICE, '-t', sentence, '-o', file], SOON)
  const bytes = readFileSync(file)
  if (bytes.readUInt32LE(24) !== SPEECH_RATE) throw new Error('the voice has another sample rate')
  return bytes.subarray(wavHeader(0, SPEECH_RATE).length)
}
