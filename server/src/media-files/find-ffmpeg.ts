import { execFile } from 'node:child_process'
import path from 'node:path'
import { MediaFileError } from './media-file-error.ts'

const ANSWER_MS = 30_000
/** Without these it can read videos, but not make what we deliver. */
const ENCODERS = ['libx264', 'aac']

/**
 * The ffmpeg to work with: the configured one, else the one in PATH, else the one that npm brought.
 * Throws `no_ffmpeg`.
 */
export async function findFfmpeg(configured: string | undefined): Promise<string> {
  if (configured !== undefined) {
    const program = configured.includes(path.sep) ? path.resolve(configured) : configured
    if (await canEncode(program)) return program
    throw missing('FFMPEG_PATH does not lead to one')
  }
  if (await canEncode('ffmpeg')) return 'ffmpeg'
  const brought = await broughtByNpm()
  if (brought !== undefined && (await canEncode(brought))) return brought
  throw missing('there is none in PATH, and npm brought none for this platform')
}

function missing(why: string): MediaFileError {
  const wanted = `an ffmpeg with ${ENCODERS.join(' and ')} is needed`
  return new MediaFileError('no_ffmpeg', `${wanted}: ${why}`)
}

async function canEncode(program: string): Promise<boolean> {
  const options = { timeout: ANSWER_MS, maxBuffer: 4 * 1024 * 1024 }
  const listed = await new Promise<string>((resolve) => {
    execFile(program, ['-hide_banner', '-loglevel', 'error', '-encoders'], options, (error, out) =>
      resolve(error === null ? out : ''),
    )
  })
  return ENCODERS.every((encoder) => new RegExp(`^ \\S+ ${encoder} `, 'm').test(listed))
}

async function broughtByNpm(): Promise<string | undefined> {
  try {
    const { default: brought } = await import('@ffmpeg-installer/ffmpeg')
    return brought.path
  } catch {
    // An optional dependency, that throws on platforms that it does not know.
    return undefined
  }
}
