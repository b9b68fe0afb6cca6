import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { liveness } from './api/operations/health.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const json = (file: string) => JSON.parse(read(file))

const { version: VERSION, workspaces }: { version: string; workspaces: string[] } =
  json('package.json')
const FOLDERS = ['', ...workspaces]
const CHANGELOG = read('CHANGELOG.md')

/** The versions of our own packages that a package asks for. */
function ownVersions(packageJson: Record<string, Record<string, string> | undefined>): string[] {
  const asked = { ...packageJson['dependencies'], ...packageJson['devDependencies'] }
  const own = Object.entries(asked).filter(([name]) => name.startsWith('@interview-room/'))
  return own.map(([, version]) => version)
}

describe('the version of a release', () => {
  test.each(FOLDERS)('is in package.json and the lock file: %s', (folder) => {
    const packageJson = json(join(folder, 'package.json'))
    const locked = json('package-lock.json').packages[folder]
    const versions = [packageJson, locked].flatMap((each) => [each.version, ...ownVersions(each)])
    expect([...new Set(versions)]).toEqual([VERSION])
  })

  test('is in the API description and its examples, and in the answer of the health', () => {
    expect(json('docs/openapi.json').info.version).toBe(VERSION)
    const examples = read('docs/openapi.json').matchAll(/"releaseId": "(?<version>[^"]+)"/g)
    const reported = [...examples].map(({ groups }) => groups?.['version'])
    expect([...new Set(reported)]).toEqual([VERSION])
    expect(liveness().releaseId).toBe(VERSION)
  })

  test('is in the Python package, in the spelling of Python', () => {
    const [, python] = /^version = "(.+)"$/m.exec(read('sdk/python/pyproject.toml')) ?? []
    expect(python).toBe(VERSION.replace(/-dev$/, '.dev0'))
  })

  test('is in the commands that install the packages', () => {
    const pages = ['docs/guide/five-minutes.md', 'sdk/README.md', 'sdk/python/README.md'].map(read)
    const files = pages.join('').match(/(?<=install \.\/)interview[\w.-]+(?=\.tgz|-py3)/g) ?? []
    const python = VERSION.replace(/-dev$/, '.dev0')
    expect([...new Set(files)].toSorted()).toEqual([
      `interview-room-sdk-${VERSION}`,
      `interview_room-${python}`,
    ])
  })

  test('is that of the newest release while nothing else is there, and the next one with -dev otherwise', () => {
    const [, unreleased = '', newest = ''] = CHANGELOG.split(/^## /m)
    const [released = ''] = /\d+\.\d+\.\d+/.exec(newest) ?? []
    const isEmpty = unreleased.trim() === '[Unreleased]'
    expect(isEmpty ? [released, ...nextAfter(released)] : nextAfter(released)).toContain(VERSION)
  })
})

/** The versions that may follow a release while the next one is being made. */
function nextAfter(released: string): string[] {
  const [major = 0, minor = 0, patch = 0] = released.split('.').map(Number)
  const next = [`${major + 1}.0.0`, `${major}.${minor + 1}.0`, `${major}.${minor}.${patch + 1}`]
  return next.map((version) => `${version}-dev`)
}

describe('the changelog', () => {
  test('begins with the unreleased section, then has releases with their dates, newest first', () => {
    const [unreleased, ...releases] = CHANGELOG.match(/^## .*$/gm) ?? []
    expect(unreleased).toBe('## [Unreleased]')
    expect(
      releases.filter((line) => !/^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/.test(line)),
    ).toEqual([])
    const dates = releases.map((line) => line.slice(-10))
    expect(dates).toEqual(dates.toSorted().toReversed())
  })

  test('groups changes by kind, in a fixed order', () => {
    const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
    for (const section of CHANGELOG.split(/^## /m).slice(1)) {
      const reported = (section.match(/^### .*$/gm) ?? []).map((line) => line.slice(4))
      expect(reported).toEqual(kinds.filter((kind) => reported.includes(kind)))
    }
  })
})
