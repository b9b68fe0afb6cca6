import { readFile } from 'node:fs/promises'
import { type Fonts, findFonts } from '@interview-room/composer/fonts.ts'
import type { Config } from '../platform/config/config.ts'
import { makeWorkDir } from '../platform/config/require-work-dir.ts'
import { FREE_MIN_BYTES, freeBytesIn } from '../platform/lib/free-space.ts'
import { type CheckResult, examine, fail, ok, skipped, type Outcome, warn } from './check-result.ts'

const GIB = 1024 ** 3
const FREE_GOOD_BYTES = 10 * GIB
const MEND =
  'Free space there, or set WORK_DIR to a folder that the service may write, on a disk with room for recordings.'

/** Checks the working folder and the free space of a worker's machine. */
export async function checkWorkDir({ role, workDir }: Pick<Config, 'role' | 'workDir'>) {
  return examine('machine:workDir', MEND, async () =>
    role === 'api' ? skipped('only workers have files: ROLE is api') : checkFolder(workDir),
  ) satisfies Promise<CheckResult>
}

async function checkFolder(workDir: string): Promise<Outcome> {
  await makeWorkDir(workDir)
  const freeBytes = await freeBytesIn(workDir)
  const detail = `${(freeBytes / GIB).toFixed(1)} GiB are free in WORK_DIR ${workDir}`
  if (freeBytes < FREE_MIN_BYTES) return fail(detail, MEND)
  if (freeBytes < FREE_GOOD_BYTES) return warn(detail, MEND)
  return ok(detail)
}

/** The letters that each kind of font covers, and a Debian package that has one. */
export const FONTS_FOR = {
  latin: 'Latin letters (fonts-dejavu-core)',
  eastAsian: 'Japanese, Chinese or Korean characters (fonts-noto-cjk)',
  thai: 'Thai letters (fonts-thai-tlwg)',
  rightToLeft: 'Arabic or Hebrew letters (fonts-dejavu-core)',
} as const satisfies Record<keyof Fonts, string>
const MEND_FONTS =
  'Install fonts on the machines of the workers; in brackets are packages of Debian.'

/** Checks that names of people can be drawn into recordings. A name without a font is left out. */
export async function checkFonts({ role }: Pick<Config, 'role'>, find = findFonts) {
  return examine('machine:fonts', MEND_FONTS, async () =>
    role === 'api' ? skipped('only workers draw names: ROLE is api') : judgeFonts(find()),
  ) satisfies Promise<CheckResult>
}

function judgeFonts(fonts: Fonts): Outcome {
  const kinds = Object.keys(FONTS_FOR) as (keyof Fonts)[]
  const missing = kinds.filter((kind) => fonts[kind] === undefined)
  if (missing.length === 0)
    return ok('names of all supported scripts can be written into recordings')
  const names = missing.map((kind) => FONTS_FOR[kind]).join(', ')
  return warn(`recordings have no names with ${names}: no font was found`, MEND_FONTS)
}

/** Everybody in a room has one or two open connections, and each of them is a file. */
const OPEN_FILES_GOOD = 4096
const MEND_OPEN_FILES =
  'Raise the limit of open files of the service: LimitNOFILE of systemd, ulimits.nofile of Compose, or ulimit -n.'

/** The number of files and connections that a process may open, from the limit of this one. */
export async function checkOpenFiles(readLimits = () => readFile('/proc/self/limits', 'utf8')) {
  return examine('machine:openFiles', MEND_OPEN_FILES, async () => {
    const [, soft] = /^Max open files +(\w+)/m.exec(await readLimits()) ?? []
    if (soft === undefined) return skipped('this system does not say how many may be open')
    const detail = `${soft} files and connections can be open in a process`
    return Number(soft) < OPEN_FILES_GOOD ? warn(detail, MEND_OPEN_FILES) : ok(detail)
  }) satisfies Promise<CheckResult>
}
