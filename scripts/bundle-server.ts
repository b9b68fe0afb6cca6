import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build, type Plugin } from 'rolldown'

const ROOT = path.resolve(import.meta.dirname, '..')

/** Programs that the image starts, and those that they start in turn. The key is the file name in the bundle. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  main: 'server/src/main.ts',
  migrate: 'server/src/migrate.ts',
  doctor: 'server/src/doctor/doctor.ts',
  admin: 'server/src/admin/admin.ts',
  'backup-drill': 'server/src/backup/backup-drill.ts',
  recorder: 'media-server/src/recorder/main.ts',
  'compose-main': 'composer/src/compose-main.ts',
  'copy-packets.worker': 'server/src/platform/media-files/copy-packets.worker.ts',
  'write-docx.worker': 'server/src/domain/recording/exports/write-docx.worker.ts',
  'decoder.process': 'server/src/platform/images/decoder.process.ts',
  'visit.process': 'server/src/platform/media/livekit/visit.process.ts',
  'listen.process': 'server/src/platform/media/livekit/listen.process.ts',
}

/** sharp is a native library. The recorder knows the errors of werift by its folder. */
const PACKAGES = ['sharp', 'werift']

/**
 * Writes the programs of the image to `folder`, with the packages they need beside them. They find other
 * files of the repository, such as migrations and pages, where those are relative to `folder`.
 */
export async function bundleServer(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const { output } = await build({
    cwd: ROOT,
    input: { ...PROGRAMS },
    platform: 'node',
    external: PACKAGES,
    plugins: [placesOfSources(folder)],
    // The log has names of error classes.
    output: { dir: folder, format: 'esm', entryFileNames: '[name].js', keepNames: true },
  })
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  writeFileSync(path.join(folder, 'licenses.txt'), licensesOf(modules))
  const packages = new Set<string>()
  for (const name of PACKAGES) addPackage(packages, name, path.join(ROOT, 'server/package.json'))
  for (const each of packages) {
    cpSync(each, path.join(folder, path.relative(ROOT, each)), { recursive: true })
  }
}

/** `import.meta.dirname` of a source is the folder of that source, although the bundle is elsewhere. */
function placesOfSources(folder: string): Plugin {
  return {
    name: 'places of sources',
    transform(code, id) {
      if (id.includes('node_modules') || !code.includes('import.meta.dirname')) return undefined
      const source = path.relative(folder, path.dirname(id))
      return code.replaceAll(
        'import.meta.dirname',
        `(import.meta.dirname + ${JSON.stringify(`/${source}`)})`,
      )
    },
  }
}

/** Every copy of a package must have the text of its license. */
function licensesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [])
  const texts = [...new Set(folders)].toSorted().flatMap((folder) => {
    const files = globSync('{LICEN[CS]E,licen[cs]e,NOTICE}*', { cwd: folder })
    const name = folder.split('/node_modules/').at(-1)
    return files.map((file) => `${name}\n\n${readFileSync(path.join(folder, file), 'utf8')}`)
  })
  return texts.join(`\n${'-'.repeat(80)}\n`)
}

interface Manifest {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Adds the folders of a package and of all it depends on. Optional packages of other platforms are not installed. */
function addPackage(folders: Set<string>, name: string, importer: string): void {
  const places = createRequire(importer).resolve.paths(name) ?? []
  const folder = places.map((place) => path.join(place, name)).find((place) => existsSync(place))
  if (folder === undefined || folders.has(folder)) return
  folders.add(folder)
  const manifest = path.join(folder, 'package.json')
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  ) as Manifest
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) {
    addPackage(folders, each, manifest)
  }
}

if (import.meta.main) await bundleServer(path.join(ROOT, 'dist'))
