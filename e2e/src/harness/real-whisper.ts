import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { LATER_MS } from './wait.ts'

/** The folder into which `fetchWhisper` puts the recogniser and its model. */
const FOLDER = path.resolve(import.meta.dirname, '../../../node_modules/.cache/real-whisper')
const PYTHON = path.join(FOLDER, 'venv/bin/python')
const MODEL = path.join(FOLDER, 'model')

const TRANSCRIBE = `
import sys
from faster_whisper import WhisperModel
model = WhisperModel(sys.argv[1], device='cpu', compute_type='int8')
segments, _ = model.transcribe(sys.argv[2], language=sys.argv[3], temperature=0, condition_on_previous_text=False)
print(''.join(segment.text for segment in segments))
`

/** The words that are heard in a file with sound. */
export async function heardIn(file: string, language: string): Promise<string> {
  const args = ['-c', TRANSCRIBE, MODEL, file, language]
  const { stdout } = await promisify(execFile)(PYTHON, args, { timeout: LATER_MS })
  return stdout.trim()
}
