import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { NODE, ROOT } from './service.ts'
import { installFromNpm, run, type Run, type Tool } from './tools.ts'

const DESCRIPTION = path.join(ROOT, 'docs/openapi.json')
const PROGRAMS = path.join(ROOT, 'e2e/generators')
const OPENAPI_GENERATOR = '7.26.0'
/** Compilers and package managers fetch much when they run for the first time. */
const COMPILE_TIMEOUT_MS = 10 * 60_000

/** A code generator, at the version that was tried, and the program that uses what it generates. */
interface Generator {
  version: string
  needs: readonly Tool[]
  /** Generates and compiles in an empty folder; returns the command that starts the program. */
  build: (folder: string) => Promise<readonly [command: string, ...args: string[]]>
}

function take(program: string, folder: string, name = program): string {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, name)
  copyFileSync(path.join(PROGRAMS, program), file)
  return file
}

async function makeVenv(folder: string, packages: readonly string[]): Promise<string> {
  await run('python3', ['-m', 'venv', 'venv'], { cwd: folder })
  const bin = path.join(folder, 'venv/bin')
  await run(path.join(bin, 'pip'), ['install', '-q', ...packages], { cwd: folder })
  return bin
}

/** Into `client`. The package on PyPI brings the program, which needs Java. */
async function openApiGenerator(
  folder: string,
  generator: string,
  options: readonly string[] = [],
): Promise<string> {
  const bin = await makeVenv(folder, [`openapi-generator-cli==${OPENAPI_GENERATOR}`])
  const args = ['generate', '-i', DESCRIPTION, '-g', generator, '-o', 'client', ...options]
  await run(path.join(bin, 'openapi-generator-cli'), args, { cwd: folder })
  return bin
}

/** Replaces what a generator writes wrongly in the files of a folder. */
function correct(folder: string, wrong: string, right: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    const text = readFileSync(file, 'utf8')
    if (text.includes(wrong)) writeFileSync(file, text.replaceAll(wrong, right))
  }
}

/** Builds `main.go` and the packages beside it. */
async function buildInGo(inFolder: Run): Promise<readonly [command: string]> {
  const withTime: Run = { timeoutMs: COMPILE_TIMEOUT_MS, ...inFolder }
  await run('go', ['mod', 'init', 'example.com/generated'], withTime)
  await run('go', ['mod', 'tidy'], withTime)
  await run('go', ['build', '-o', 'program', '.'], withTime)
  return [path.join(inFolder.cwd, 'program')]
}

const TSC = ['--strict', '--skipLibCheck', '--types', 'node']

export const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    version: '7.13.0',
    needs: ['npm'],
    async build(folder) {
      const bin = await installFromNpm(folder, [
        'openapi-typescript@7.13.0',
        'openapi-fetch@0.17.0',
        'typescript@5.9.3',
        '@types/node@24.10.1',
      ])
      const cli = path.join(bin, '../openapi-typescript/bin/cli.js')
      // Otherwise whatever has a default must be sent.
      const options = ['--default-non-nullable', 'false']
      await run(NODE, [cli, DESCRIPTION, '-o', 'schema.ts', ...options], { cwd: folder })
      const program = take('openapi-typescript.ts', folder)
      const modules = ['--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions']
      const tsc = path.join(bin, '../typescript/bin/tsc')
      await run(NODE, [tsc, ...TSC, ...modules, '--noEmit', program], { cwd: folder })
      return [NODE, program]
    },
  },
  'openapi-generator-typescript-fetch': {
    version: OPENAPI_GENERATOR,
    needs: ['java', 'npm', 'python3'],
    async build(folder) {
      await openApiGenerator(folder, 'typescript-fetch')
      const bin = await installFromNpm(folder, ['typescript@5.9.3', '@types/node@24.10.1'])
      writeFileSync(path.join(folder, 'package.json'), '{"private": true}\n')
      const program = take('openapi-generator-typescript-fetch.ts', folder, 'program.ts')
      const options = ['--module', 'commonjs', '--target', 'es2022', '--outDir', 'built']
      const tsc = path.join(bin, '../typescript/bin/tsc')
      await run(NODE, [tsc, ...TSC, ...options, '--lib', 'es2022,dom', program], { cwd: folder })
      return [NODE, path.join(folder, 'built/program.js')]
    },
  },
  'openapi-generator-python': {
    version: OPENAPI_GENERATOR,
    needs: ['java', 'python3'],
    async build(folder) {
      const bin = await openApiGenerator(folder, 'python')
      await run(path.join(bin, 'pip'), ['install', '-q', './client'], { cwd: folder })
      return [path.join(bin, 'python'), take('openapi-generator-python.py', folder)]
    },
  },
  'openapi-generator-java': {
    version: OPENAPI_GENERATOR,
    needs: ['java', 'mvn', 'python3'],
    async build(folder) {
      const client = path.join(folder, 'client')
      await openApiGenerator(folder, 'java', ['--library', 'native'])
      const goals = ['compile', 'dependency:copy-dependencies']
      await run('mvn', ['-q', '-B', ...goals], { cwd: client, timeoutMs: COMPILE_TIMEOUT_MS })
      const built = ['classes', 'dependency/*'].map((name) => path.join(client, 'target', name))
      const program = take('openapi-generator-java.java', folder, 'Program.java')
      await run('javac', ['-cp', built.join(':'), '-d', 'built', program], { cwd: folder })
      return ['java', '-cp', [...built, path.join(folder, 'built')].join(':'), 'Program']
    },
  },
  'openapi-generator-kotlin': {
    version: OPENAPI_GENERATOR,
    needs: ['java', 'mvn', 'python3'],
    async build(folder) {
      const unions = ['serializationLibrary=gson', 'generateOneOfAnyOfWrappers=true']
      const options = ['packageName=api', ...unions]
      await openApiGenerator(folder, 'kotlin', ['--additional-properties', options.join(',')])
      // It compares the numbers of a list as text.
      const [rates, value] = ['StreamFrameRate.entries.any { ', 'it.value']
      const models = path.join(folder, 'client/src/main/kotlin/api/models')
      correct(models, `${rates}${value} ==`, `${rates}${value}.toString() ==`)
      take('openapi-generator-kotlin.kt', path.join(folder, 'program'), 'Program.kt')
      take('openapi-generator-kotlin.pom.xml', folder, 'pom.xml')
      const goals = ['compile', 'dependency:copy-dependencies']
      await run('mvn', ['-q', '-B', ...goals], { cwd: folder, timeoutMs: COMPILE_TIMEOUT_MS })
      const built = ['classes', 'dependency/*'].map((name) => path.join(folder, 'target', name))
      return ['java', '-cp', built.join(':'), 'ProgramKt']
    },
  },
  'openapi-generator-go': {
    version: OPENAPI_GENERATOR,
    needs: ['go', 'java', 'python3'],
    async build(folder) {
      const options = ['packageName=client', 'withGoMod=false', 'enumClassPrefix=true']
      await openApiGenerator(folder, 'go', ['--additional-properties', options.join(',')])
      // Its tests import a module that does not exist.
      rmSync(path.join(folder, 'client/test'), { recursive: true })
      take('openapi-generator-go.go', folder, 'main.go')
      return buildInGo({ cwd: folder })
    },
  },
  'openapi-generator-rust': {
    version: OPENAPI_GENERATOR,
    needs: ['cargo', 'java', 'python3'],
    async build(folder) {
      await openApiGenerator(folder, 'rust')
      // The generator names the module twice if a form has an enum of a list.
      correct(path.join(folder, 'client/src/apis'), 'models::models::', 'models::')
      take('openapi-generator-rust.rs', path.join(folder, 'src'), 'main.rs')
      take('openapi-generator-rust.toml', folder, 'Cargo.toml')
      await run('cargo', ['build', '-q'], { cwd: folder, timeoutMs: COMPILE_TIMEOUT_MS })
      return [path.join(folder, 'target/debug/program')]
    },
  },
  'openapi-python-client': {
    version: '0.29.1',
    needs: ['python3'],
    async build(folder) {
      const bin = await makeVenv(folder, ['openapi-python-client==0.29.1'])
      const args = ['generate', '--path', DESCRIPTION, '--output-path', 'client', '--meta', 'setup']
      // The generator formats its output with a program that it searches for.
      const env = { PATH: `${bin}:${process.env['PATH']}` }
      const cli = path.join(bin, 'openapi-python-client')
      await run(cli, [...args, '--fail-on-warning'], { cwd: folder, env })
      await run(path.join(bin, 'pip'), ['install', '-q', './client'], { cwd: folder })
      return [path.join(bin, 'python'), take('openapi-python-client.py', folder)]
    },
  },
  'datamodel-code-generator': {
    version: '0.89.0',
    needs: ['python3'],
    async build(folder) {
      const bin = await makeVenv(folder, ['datamodel-code-generator==0.89.0'])
      const model = ['--output-model-type', 'pydantic_v2.BaseModel', '--formatters', 'builtin']
      const args = ['--input', DESCRIPTION, '--input-file-type', 'openapi', '--output', 'models.py']
      await run(path.join(bin, 'datamodel-codegen'), [...args, ...model], { cwd: folder })
      return [path.join(bin, 'python'), take('datamodel-code-generator.py', folder)]
    },
  },
  'oapi-codegen': {
    version: 'v2.8.2',
    needs: ['go'],
    async build(folder) {
      const env = { GOBIN: path.join(folder, 'bin'), GOFLAGS: '-mod=mod' }
      const inFolder: Run = { cwd: folder, env }
      const tool = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
      await run('go', ['install', tool], inFolder)
      take('oapi-codegen.go', folder, 'main.go')
      mkdirSync(path.join(folder, 'api'))
      const args = ['-package', 'api', '-o', 'api/api.go', DESCRIPTION]
      await run(path.join(folder, 'bin/oapi-codegen'), args, inFolder)
      return buildInGo(inFolder)
    },
  },
}
