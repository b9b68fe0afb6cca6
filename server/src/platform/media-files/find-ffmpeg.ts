import { execFile } from 'node:child_process'
import path from 'node:path'
import { programEnvironment } from '@interview-room/composer/program-environment.ts'
import { MediaFileError } from './media-file-error.ts'

const ANSWER_MS = 30_000
/** Without these encoders it can read videos, but not make the files that we deliver. */
const ENCODERS = ['libx264', 'aac']
/** Older ones get no security fixes any more, and what they decode comes from outside. */
const OLDEST_MAJOR = 5
/** When that version came out. A snapshot has no number, but every build names its year. */
const OLDEST_YEAR = 2022

/** The ffmpeg to work with: the configured one, else the one in PATH. Throws `no_ffmpeg`. */
export async function findFfmpeg(configured: string | undefined): Promise<string> {
  if (configured === undefined) {
    if (await isUsable('ffmpeg')) return 'ffmpeg'
    throw missing('there is none in PATH')
  }
  const program = configured.includes(path.sep) ? path.resolve(configured) : configured
  if (await isUsable(program)) return program
  throw missing('FFMPEG_PATH does not lead to one')
}

function missing(why: string): MediaFileError {
  const wanted = `ffmpeg ${OLDEST_MAJOR} or later with ${ENCODERS.join(' and ')} is needed`
  return new MediaFileError('no_ffmpeg', `${wanted}: ${why}`)
}

/** Asking costs as much as a short video: a program that was usable is not asked again. */
const usable = new Set<string>()

async function isUsable(program: string): Promise<boolean> {
  if (usable.has(program)) return true
  const { banner, encoders } = await describe(program)
  const canEncode = ENCODERS.every((name) => new RegExp(`^ \\S+ ${name} `, 'm').test(encoders))
  if (!canEncode || isTooOld(banner)) return false
  usable.add(program)
  return true
}

export function isTooOld(banner: string): boolean {
  const major = /^ffmpeg version n?(\d+)\./m.exec(banner)?.[1]
  if (major !== undefined) return Number(major) < OLDEST_MAJOR
  const year = /Copyright \(c\) 2000-(\d{4})/.exec(banner)?.[1]
  return year !== undefined && Number(year) < OLDEST_YEAR
}

async function describe(program: string): Promise<{ banner: string; encoders: string }> {
  const options = { timeout: ANSWER_MS, maxBuffer: 4 * 1024 * 1024, env: programEnvironment() }
  return new Promise((resolve) => {
    execFile(program, ['-encoders'], options, (error, encoders, banner) =>
      resolve(error === null ? { banner, encoders } : { banner: '', encoders: '' }),
    )
  })
}
