import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The ffmpeg to use: the one named, else one of the PATH, else the one that came with npm install. */
export function findFfmpeg(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = env['FFMPEG_PATH'] ?? ''
  if (named !== '') return named

  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const name = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'
  return folders.map((folder) => path.join(folder, name)).find(isExecutable) ?? installed()
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function installed(): string | undefined {
  try {
    const { path: file } = createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as {
      path: string
    }
    return isExecutable(file) ? file : undefined
  } catch {
    // An optional dependency: there is none for every platform.
    return undefined
  }
}
