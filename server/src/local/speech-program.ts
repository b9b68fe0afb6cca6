import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import {
  TRANSCRIPTION_ENGINES,
  type TranscriptionEngine,
} from '@interview-room/contract/vocabulary.ts'
import type { Adapter } from '../platform/config/transcription-config.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A speech recognition program on this machine. */
export interface SpeechProgram {
  /** The program's name in the start's output. */
  name: string
  /** The settings with which an operator would use it. */
  settings: { TRANSCRIPTION_LOCAL_COMMAND: string; TRANSCRIPTION_LOCAL_LANGUAGES?: string }
}

/** The folder with models of whisper.cpp, below the data folder. */
const MODELS_FOLDER = 'models'
/** The voice detection files of whisper.cpp have similar names, but are no language models. */
const MODEL = /^ggml-(?!silero).+\.bin$/
const ENGLISH_MODEL = /\.en[.-]/
/** Relative to the program's folder: the place of its English model in every installation. */
const ENGLISH_OF_POCKETSPHINX = '../share/pocketsphinx/model/en-us'

/**
 * The program that transcribes if no setting names one: whisper.cpp if a model is installed too, else pocketsphinx, which knows
 * only English. Nothing is searched once an engine, or the local command, is set.
 */
export function findSpeechProgram(env: Environment, dataDir: string): SpeechProgram | undefined {
  const isSet = Object.entries(env).some(
    ([name, value]) => /^TRANSCRIPTION_(ENGINE|LOCAL)_/.test(name) && value?.trim(),
  )
  return isSet ? undefined : (findWhisper(env, dataDir) ?? findPocketsphinx(env))
}

function findWhisper(env: Environment, dataDir: string): SpeechProgram | undefined {
  const program = findInPath(env, 'whisper-cli')
  const model = largestModel(path.join(dataDir, MODELS_FOLDER))
  if (program === undefined || model === undefined) return undefined
  const command = [program, '-m', model, '-l', '{lang}', '-np', '-f', '{audio}']
  const isEnglish = ENGLISH_MODEL.test(path.basename(model))
  return {
    name: `whisper-cli with ${path.basename(model)}`,
    settings: {
      TRANSCRIPTION_LOCAL_COMMAND: JSON.stringify(command),
      ...(isEnglish ? { TRANSCRIPTION_LOCAL_LANGUAGES: 'en-US' } : {}),
    },
  }
}

/** A larger model recognises more. */
function largestModel(folder: string): string | undefined {
  let names: string[] = []
  try {
    names = readdirSync(folder).filter((name) => MODEL.test(name))
  } catch {
    return undefined
  }
  const sized = names.map((name) => ({ name, size: statSync(path.join(folder, name)).size }))
  const largest = sized.toSorted((a, b) => b.size - a.size)[0]
  return largest && path.join(folder, largest.name)
}

function findPocketsphinx(env: Environment): SpeechProgram | undefined {
  const program = findInPath(env, 'pocketsphinx_continuous')
  if (program === undefined) return undefined
  const folder = path.dirname(realpathSync(program))
  if (!isThere(path.join(folder, ENGLISH_OF_POCKETSPHINX))) return undefined
  const command = [program, '-infile', '{audio}', '-time', 'yes']
  return {
    name: 'pocketsphinx_continuous, English only',
    settings: {
      TRANSCRIPTION_LOCAL_COMMAND: JSON.stringify(command),
      TRANSCRIPTION_LOCAL_LANGUAGES: 'en-US',
    },
  }
}

function findInPath(env: Environment, name: string): string | undefined {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  return folders
    .map((folder) => path.resolve(folder, name))
    .find((file) => isThere(file, constants.X_OK) && statSync(file).isFile())
}

function isThere(file: string, mode: number = constants.R_OK): boolean {
  try {
    accessSync(file, mode)
    return true
  } catch {
    return false
  }
}

/** Describes the adapters of the engines, and the reason for them, in one line for the person who starts the service. */
export function describeBindings(
  bindings: Record<TranscriptionEngine, Adapter>,
  found: SpeechProgram | undefined,
): string {
  const names = Map.groupBy(TRANSCRIPTION_ENGINES, (name) => bindings[name])
  if (names.get('none')?.length === TRANSCRIPTION_ENGINES.length) {
    return 'no engine is bound, nothing will be transcribed (docs/transcription.md)'
  }
  const by = found === undefined ? 'by the settings' : `found on this machine: ${found.name}`
  const bound = [...names].map(([adapter, each]) => `${each.join(', ')} = ${adapter}`)
  return `${bound.join('; ')} (${by})`
}
