import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export interface ZippedFile {
  /** The name of the entry: a relative path with `/`, unique in the archive. */
  name: string
  /** Compared with the bytes that arrive. */
  sizeBytes: number
  /** Called when it is this file's turn. Only one file is open at a time. */
  open(): Promise<Readable>
}

export interface ZipJob {
  files: readonly ZippedFile[]
  /** Becomes `manifest.json`, the first entry. */
  manifest: object
  /** The entries' time. */
  madeAt: Date
}

const MANIFEST = 'manifest.json'

/**
 * A ZIP of the files without compression, in the 64-bit format if its size needs that. It is made while it is read. A file that
 * breaks or has another size breaks the stream. Throws `RangeError` for names that no entry may have.
 */
export function zipFiles({ files, manifest, madeAt }: ZipJob): Readable {
  refuseNames(files)
  const zip = new ZipFile()
  // The library's own stream, typed by an older interface.
  const output = zip.outputStream as Readable
  let current: Readable | undefined

  zip.on('error', (error: Error) => output.destroy(error))
  output.on('close', () => current?.destroy())

  const stored = { mtime: madeAt, compress: false }
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), MANIFEST, stored)
  for (const zipped of files) {
    const options = { ...stored, size: zipped.sizeBytes }
    zip.addReadStreamLazy(zipped.name, options, (give) => {
      zipped.open().then(
        (file) => {
          current = file
          file.on('error', (error) => output.destroy(error))
          if (output.destroyed) file.destroy()
          else give(undefined, file)
        },
        (error: Error) => output.destroy(error),
      )
    })
  }
  zip.end()
  return output
}

function refuseNames(files: readonly ZippedFile[]): void {
  const names = [MANIFEST, ...files.map(({ name }) => name)]
  if (new Set(names).size === names.length && names.every(isRelative)) return
  throw new RangeError('names of zipped files must be relative and unlike each other')
}

function isRelative(name: string): boolean {
  const isPlain = !name.includes('\\') && !name.includes('\u0000')
  return isPlain && name.split('/').every((part) => !['', '.', '..'].includes(part))
}
