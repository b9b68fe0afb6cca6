import { registerHooks } from 'node:module'
import type { PlantedBug } from './planted-bugs.ts'

/** Runs in a process of the service before its program: changes one source while it is loaded. */
const { file, from, to } = JSON.parse(process.env['PLANTED_BUG'] ?? '{}') as PlantedBug

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith(file)) return loaded
    const source = Buffer.from(loaded.source as Buffer).toString()
    if (!source.includes(from)) throw new Error(`${file} does not contain: ${from}`)
    return { ...loaded, source: source.replace(from, to) }
  },
})
