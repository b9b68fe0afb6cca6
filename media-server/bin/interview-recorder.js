#!/usr/bin/env node
// In the repository the TypeScript is run as it is; a package brings it compiled.
import { existsSync } from 'node:fs'

const compiled = new URL('../dist/recorder/cli.js', import.meta.url)
const source = new URL('../src/recorder/cli.ts', import.meta.url)
const { runRecorderCli } = await import((existsSync(source) ? source : compiled).href)
await runRecorderCli(process.argv.slice(2), process.env)
