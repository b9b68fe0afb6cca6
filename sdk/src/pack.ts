import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import contractPackage from '../../contract/package.json' with { type: 'json' }
import sdkPackage from '../package.json' with { type: 'json' }

const ROOT = path.resolve(import.meta.dirname, '../..')
const OUT = path.join(ROOT, 'sdk/dist')
const CONTRACT = '@interview-room/contract/'

/**
 * Makes the package for use outside of this repository: compiled JavaScript with types, the contract included, and
 * only public dependencies. Returns its file in the given folder.
 */
export function packSdk(folder: string): string {
  rmSync(OUT, { recursive: true, force: true })
  copySources('sdk/src', 'src')
  copySources('contract/src', 'src/contract')
  build()
  writeFileSync(path.join(OUT, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  cpSync(path.join(ROOT, 'LICENSE'), path.join(OUT, 'LICENSE'))
  cpSync(path.join(ROOT, 'sdk/README.md'), path.join(OUT, 'README.md'))
  mkdirSync(folder, { recursive: true })
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const name = execFileSync('npm', args, { cwd: OUT, encoding: 'utf8' }).trim()
  return path.join(folder, name)
}

/** Copies without the tests, and puts the contract beside the SDK instead of into a workspace. */
function copySources(from: string, to: string): void {
  for (const name of globSync('**/*.ts', { cwd: path.join(ROOT, from) })) {
    if (name.endsWith('.test.ts') || name === 'pack.ts' || name.startsWith('python/')) continue
    const text = readFileSync(path.join(ROOT, from, name), 'utf8')
    const file = path.join(OUT, to, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text.replaceAll(`'${CONTRACT}`, "'./contract/"))
  }
}

function build(): void {
  const options = {
    extends: '../../tsconfig.base.json',
    compilerOptions: {
      lib: ['es2024', 'dom'],
      target: 'es2022',
      rootDir: 'src',
      outDir: 'lib',
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
    },
    include: ['src'],
  }
  const project = path.join(OUT, 'tsconfig.json')
  writeFileSync(project, JSON.stringify(options))
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', project], { stdio: 'inherit' })
}

function manifest(): object {
  const { name, version, description, license, type, dependencies } = sdkPackage
  const { '@interview-room/contract': _inside, ...others } = dependencies
  return {
    name,
    version,
    description,
    license,
    type,
    engines: { node: '>=20' },
    // For compilers that do not support `exports`: TypeScript's "moduleResolution": "node".
    main: './lib/public.js',
    types: './lib/public.d.ts',
    exports: { '.': { types: './lib/public.d.ts', default: './lib/public.js' } },
    bin: { 'interview-room': './lib/cli.js' },
    files: ['lib'],
    sideEffects: false,
    dependencies: { ...others, ...contractPackage.dependencies },
  }
}

if (import.meta.main) process.stdout.write(`${packSdk(process.cwd())}\n`)
