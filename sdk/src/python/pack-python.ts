import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pythonClient } from './python-client.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const DESCRIPTION = path.join(ROOT, 'docs/openapi.json')
const TIMEOUT_MS = 300_000

/** Writes the module `operations` from the API description, and builds the wheel. Returns its file in the given folder. */
export function packPython(folder: string): string {
  const source = mkdtempSync(path.join(tmpdir(), 'interview-room-python-'))
  try {
    cpSync(path.join(ROOT, 'sdk/python'), source, { recursive: true })
    const operations = pythonClient(JSON.parse(readFileSync(DESCRIPTION, 'utf8')))
    writeFileSync(path.join(source, 'interview_room/operations.py'), operations)
    const wheels = path.join(source, 'wheels')
    const args = ['-m', 'pip', 'wheel', '--quiet', '--no-deps', source, '--wheel-dir', wheels]
    execFileSync('python3', args, { stdio: 'inherit', timeout: TIMEOUT_MS })
    const [name = ''] = globSync('*.whl', { cwd: wheels })
    const file = path.join(folder, name)
    cpSync(path.join(wheels, name), file)
    return file
  } finally {
    rmSync(source, { recursive: true })
  }
}

if (import.meta.main) process.stdout.write(`${packPython(process.cwd())}\n`)
