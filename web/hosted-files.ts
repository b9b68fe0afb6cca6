import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'

export interface HostedFolder {
  /** `assets/<package>-<version>`. Browsers cache its files for a year. */
  folder: string
  /** The path of each file on disk, by its name in the folder. */
  files: ReadonlyMap<string, string>
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

/** Copies files of a package to a folder that the pages serve, for a library that loads them by name. */
export function hostedFiles(name: string, list: () => Promise<HostedFolder>): Plugin {
  return {
    name,
    async generateBundle() {
      const { folder, files } = await list()
      for (const [fileName, file] of files) {
        const source = await readFile(file)
        this.emitFile({ type: 'asset', fileName: `${folder}/${fileName}`, source })
      }
    },
    async configureServer(server) {
      const { folder, files } = await list()
      server.middlewares.use(`/${folder}/`, (request, response, next) => {
        const file = files.get((request.url ?? '').slice(1))
        if (file === undefined) return next()
        const type = TYPES[path.extname(file)]
        if (type !== undefined) response.setHeader('content-type', type)
        createReadStream(file).pipe(response)
      })
    },
  }
}
