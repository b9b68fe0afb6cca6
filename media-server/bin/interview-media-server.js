#!/usr/bin/env node
// In the repository the TypeScript is run as it is; a package brings it compiled.
import { existsSync } from 'node:fs'

const compiled = new URL('../dist/cli.js', import.meta.url)
const source = new URL('../src/cli.ts', import.meta.url)
const { runCli } = await import((existsSync(source) ? source : compiled).href)
await runCli(process.argv.slice(2), process.env)
