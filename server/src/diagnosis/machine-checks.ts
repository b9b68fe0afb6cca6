import { readFile } from 'node:fs/promises'
import type { Fonts } from '@interview-room/composer/fonts.ts'
import { type Check, fail, ok, type Outcome, skipped, warn } from '../platform/checks/check.ts'
import { unlessWorker } from '../platform/checks/service-checks.ts'
import { makeWorkDir } from '../platform/config/require-work-dir.ts'
import { FREE_MIN_BYTES, freeBytesIn } from '../platform/lib/free-space.ts'
import type { Diagnosis } from './diagnosis.ts'

const GIB = 1024 ** 3
const FREE_GOOD_BYTES = 10 * GIB

/** The working folder, the fonts and the limits of a worker's machine. */
export const WORKER_CHECKS: readonly Check<Diagnosis>[] = [
  {
    name: 'machine:workDir',
    ask: ({ config }) => checkFolder(config.workDir),
    advice:
      'Free space there, or set WORK_DIR to a folder that the service may write, on a disk with room for recordings.',
    when: { skip: unlessWorker },
  },
  {
    name: 'machine:fonts',
    ask: async ({ findFonts }) => checkFonts(findFonts()),
    passes: 'names of all supported scripts can be written into recordings',
    advice: 'Install fonts on the machines of the workers; in brackets are packages of Debian.',
    when: { skip: unlessWorker },
  },
  {
    name: 'machine:openFiles',
    ask: async () => checkOpenFiles(await readFile('/proc/self/limits', 'utf8')),
    advice:
      'Raise the limit of open files of the service: LimitNOFILE of systemd, ulimits.nofile of Compose, or ulimit -n.',
  },
]

async function checkFolder(workDir: string): Promise<Outcome> {
  await makeWorkDir(workDir)
  const freeBytes = await freeBytesIn(workDir)
  const detail = `${(freeBytes / GIB).toFixed(1)} GiB are free in WORK_DIR ${workDir}`
  if (freeBytes < FREE_MIN_BYTES) return fail(detail)
  if (freeBytes < FREE_GOOD_BYTES) return warn(detail)
  return ok(detail)
}

/** The letters that each kind of font covers, and a Debian package that has one. */
export const FONTS_FOR = {
  latin: 'Latin letters (fonts-dejavu-core)',
  eastAsian: 'Japanese, Chinese or Korean characters (fonts-noto-cjk)',
  thai: 'Thai letters (fonts-thai-tlwg)',
  rightToLeft: 'Arabic or Hebrew letters (fonts-dejavu-core)',
} as const satisfies Record<keyof Fonts, string>

/** Checks that names of people can be drawn into recordings. A name without a font is left out. */
export function checkFonts(fonts: Fonts): Outcome | undefined {
  const kinds = Object.keys(FONTS_FOR) as (keyof Fonts)[]
  const missing = kinds.filter((kind) => fonts[kind] === undefined)
  if (missing.length === 0) return undefined
  const names = missing.map((kind) => FONTS_FOR[kind]).join(', ')
  return warn(`recordings have no names with ${names}: no font was found`)
}

/** Everybody in a room has one or two open connections, and each of them is a file. */
const OPEN_FILES_GOOD = 4096

/** The number of files and connections that a process may open, from the limits of this one. */
export function checkOpenFiles(limits: string): Outcome {
  const [, soft] = /^Max open files +(\w+)/m.exec(limits) ?? []
  if (soft === undefined) return skipped('this system does not say how many may be open')
  const detail = `${soft} files and connections can be open in a process`
  return Number(soft) < OPEN_FILES_GOOD ? warn(detail) : ok(detail)
}
