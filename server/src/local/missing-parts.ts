import { type Fonts, findFonts } from '@interview-room/composer/fonts.ts'
import { findFfmpeg } from '../platform/media-files/find-ffmpeg.ts'
import { installWithApt } from './lib/apt.ts'
import type { Progress } from './progress.ts'

/** Something that recordings need, and npm does not bring. */
export interface MissingPart {
  /** Describes what does not work. */
  without: string
  /** The package in Debian. */
  package: string
}

/** The parts of this machine that recordings need. */
export interface Machine {
  hasFfmpeg: boolean
  fonts: Partial<Pick<Fonts, 'latin' | 'eastAsian'>>
}

/** @param ffmpegPath the value of `FFMPEG_PATH`; undefined for the one in `PATH`. */
export async function lookAtMachine(ffmpegPath: string | undefined): Promise<Machine> {
  const hasFfmpeg = await findFfmpeg(ffmpegPath).then(
    () => true,
    () => false,
  )
  return { hasFfmpeg, fonts: findFonts() }
}

export function missingOn({ hasFfmpeg, fonts }: Machine): MissingPart[] {
  const missing: MissingPart[] = []
  if (!hasFfmpeg)
    missing.push({
      without: 'ffmpeg 5 or later: without it, nothing can be recorded',
      package: 'ffmpeg',
    })
  if (fonts.eastAsian === undefined) {
    const names = fonts.latin === undefined ? 'any' : 'Japanese, Chinese or Korean'
    missing.push({
      without: `fonts: without them, recordings do not show ${names} names`,
      package: 'fonts-noto-cjk',
    })
  }
  return missing
}

/**
 * Installs what is missing, where that asks nobody anything: as root, such as in a container, of Debian or a derivative. Elsewhere,
 * and if it fails, the summary of the start names the command.
 */
export async function installMissing(
  machine: Machine,
  progress: Pick<Progress, 'step' | 'problem'>,
): Promise<void> {
  const packages = missingOn(machine).map((part) => part.package)
  if (packages.length === 0 || process.getuid?.() !== 0) return
  const isInstalled = await progress.step(
    `Installing ${packages.join(' and ')}`,
    async () => installWithApt(packages),
    'done',
  )
  if (!isInstalled) progress.problem('they could not be installed')
}
