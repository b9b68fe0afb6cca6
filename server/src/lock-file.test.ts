import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** Checks what npm would warn about if `.npmrc` did not silence it. */

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'))

interface LockedPackage {
  resolved?: string
  deprecated?: string
  hasInstallScript?: boolean
  dev?: boolean
}

const PACKAGES = Object.entries<LockedPackage>(read('package-lock.json').packages)
const { allowScripts }: { allowScripts: Record<string, boolean> } = read('package.json')

const namesOf = (packages: typeof PACKAGES) =>
  packages.map(([place]) => place.replace(/^.*node_modules\//, ''))

test('no package is deprecated', () => {
  expect(PACKAGES.length).toBeGreaterThan(500)
  expect(namesOf(PACKAGES.filter(([, { deprecated }]) => deprecated !== undefined))).toEqual([])
})

test('no package runs a script when it is installed', () => {
  const scripted = namesOf(PACKAGES.filter(([, { hasInstallScript }]) => hasInstallScript))
  // Packages for other platforms are never installed here.
  const possible = scripted.filter((name) => !/\/(linux-(arm|ia32|ppc64)|windows-x64)$/.test(name))
  expect(possible.filter((name) => allowScripts[name] !== false)).toEqual([])
})

test('no package comes from anywhere but the public registry', () => {
  const hosts = PACKAGES.flatMap(([, { resolved }]) =>
    resolved?.startsWith('http') ? [new URL(resolved).host] : [],
  )
  expect(hosts.filter((host) => host !== 'registry.npmjs.org')).toEqual([])
})

test('packages that only build the pages are not installed where the pages are already built', () => {
  const { devDependencies } = read('web/package.json')
  const names = [...Object.keys(devDependencies), 'playwright-core', 'typescript', 'vitest']
  expect(names.length).toBeGreaterThan(10)
  const packages = new Map(PACKAGES)
  expect(names.filter((name) => packages.get(`node_modules/${name}`)?.dev !== true)).toEqual([])
})
