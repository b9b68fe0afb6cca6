import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** Programs of other languages and their package managers, which a machine may lack. */
export type Tool = 'python3' | 'java' | 'mvn' | 'go' | 'cargo' | 'npm'

const VERSION_ARGUMENT: Readonly<Record<Tool, string>> = {
  python3: '--version',
  java: '-version',
  mvn: '--version',
  go: 'version',
  cargo: '--version',
  npm: '--version',
}

/** The given tools that this machine lacks. A Python without `venv` is of no use. */
export function missingTools(tools: readonly Tool[]): Tool[] {
  return tools.filter((tool) => {
    const isThere = spawnSync(tool, [VERSION_ARGUMENT[tool]]).status === 0
    if (!isThere || tool !== 'python3') return !isThere
    return spawnSync('python3', ['-c', 'import ensurepip, venv']).status !== 0
  })
}

export interface Run {
  cwd: string
  env?: Readonly<Record<string, string>>
  timeoutMs?: number
}

const TIMEOUT_MS = 300_000

/** Runs a program to its end; returns its standard output, or throws all of its output. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = {}, timeoutMs = TIMEOUT_MS }: Run,
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, [...args], {
      cwd,
      env: { ...process.env, ...env },
      timeout: timeoutMs,
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error })
  }
}

/** Installs packages into this empty folder; returns the folder of their programs. */
export async function installFromNpm(folder: string, packages: readonly string[]): Promise<string> {
  writeFileSync(path.join(folder, 'package.json'), '{"private": true, "type": "module"}\n')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent']
  await run('npm', ['install', ...flags, ...packages], { cwd: folder })
  return path.join(folder, 'node_modules/.bin')
}
