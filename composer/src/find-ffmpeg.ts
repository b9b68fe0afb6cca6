import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** The ffmpeg to use: the one named, else one of the PATH. */
export function findFfmpeg(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = env['FFMPEG_PATH'] ?? ''
  if (named !== '') return named

  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const name = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'
  return folders.map((folder) => path.join(folder, name)).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
