import { spawnSync } from 'node:child_process'
import { installWithApt } from './apt.ts'

const isThere = () => spawnSync('ffmpeg', ['-version']).status === 0

/** The tests use the system's ffmpeg, as the service does. */
export function findOrInstallFfmpeg(): void {
  if (isThere()) return
  process.stdout.write('No ffmpeg found; installing the system package …\n')
  if (installWithApt(['ffmpeg']) && isThere()) return
  throw new Error('The tests of recordings need ffmpeg 5 or later: install it.')
}
