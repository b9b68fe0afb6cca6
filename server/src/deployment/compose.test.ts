import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildGo, HAS_GO, runGo, runTool } from '../testing/go-tools.ts'
import { IS_FULL_RUN } from '../testing/scope.ts'

const LOADER = { module: 'github.com/compose-spec/compose-go/v2', version: 'v2.16.2' }
const ROOT = path.resolve(import.meta.dirname, '../../..')
const BUILD_MS = 30 * 60_000

/** Reads the files of a folder as `docker compose config` does, of which this is the part without an engine. */
const READER = `package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func main() {
	os.Chdir(os.Args[1])
	options, err := cli.NewProjectOptions(nil,
		cli.WithEnvFiles(),
		cli.WithDotEnv,
		cli.WithConfigFileEnv,
		cli.WithDefaultConfigPath,
		cli.WithProfiles([]string{"*"}),
	)
	if err == nil {
		var project *types.Project
		if project, err = options.LoadProject(context.Background()); err == nil {
			err = json.NewEncoder(os.Stdout).Encode(project)
		}
	}
	if err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
}
`

interface Service {
  user?: string
  environment?: Record<string, string>
  volumes?: { source?: string; target: string }[]
  extra_hosts?: string[]
}

let reader: string
let folder: string

/** The services that Compose would start in a copy of this repository with that `.env`. */
async function servicesWith(env: string): Promise<Record<string, Service>> {
  await writeFile(path.join(folder, '.env'), env)
  const { exitCode, output, stdout } = await runTool(reader, [folder])
  if (exitCode !== 0) throw new Error(output)
  return (JSON.parse(stdout) as { services: Record<string, Service> }).services
}

describe.runIf(IS_FULL_RUN && HAS_GO)('the files of Compose (skipped without Go)', () => {
  beforeAll(async () => {
    reader = await buildGo(`compose-reader-${LOADER.version}`, async (module) => {
      await writeFile(path.join(module, 'main.go'), READER)
      await runGo(['get', `${LOADER.module}@${LOADER.version}`], module)
      await runGo(['mod', 'tidy'], module)
      return '.'
    })
    folder = await mkdtemp(path.join(tmpdir(), 'interview-room-compose-'))
    await mkdir(path.join(folder, 'deploy'))
    await cp(path.join(ROOT, 'deploy/compose'), path.join(folder, 'deploy/compose'), {
      recursive: true,
    })
    await copyFile(path.join(ROOT, 'compose.yaml'), path.join(folder, 'compose.yaml'))
  }, BUILD_MS)

  afterAll(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true })
  })

  test('are an installation with the filled example', async () => {
    const example = await readFile(path.join(ROOT, 'deploy/compose/example.env'), 'utf8')
    const services = await servicesWith(example.replaceAll(/^(\w+)=$/gm, '$1=filled-in'))
    expect(services['api']?.environment?.['PUBLIC_URL']).toBe('https://interviews.example.com')
    expect(services['livekit']?.environment).not.toHaveProperty('NODE_IP')
  })

  test('refuse an example that is not filled in', async () => {
    const example = await readFile(path.join(ROOT, 'deploy/compose/example.env'), 'utf8')
    await expect(servicesWith(example)).rejects.toThrow('SECRETS_KEY is missing a value')
  })

  test('are a trial with the settings of one, as they are', async () => {
    const trial = await readFile(path.join(ROOT, 'deploy/compose/trial.env'), 'utf8')
    const { api, worker, proxy, livekit, doctor } = await servicesWith(trial)
    for (const service of [api, worker]) {
      expect(service?.environment).toMatchObject({
        PUBLIC_URL: 'https://interview.localhost',
        S3_PUBLIC_ENDPOINT: 'https://files.interview.localhost',
        WEBHOOKS_ALLOW_PRIVATE_TARGETS: 'true',
      })
      expect(service?.extra_hosts).toEqual(['host.docker.internal=host-gateway'])
    }
    expect(proxy?.environment).toMatchObject({ CERT_ISSUER: 'internal' })
    expect(livekit?.environment).toMatchObject({
      NODE_IP: '127.0.0.1',
      LIVEKIT_TURN_ENABLED: 'false',
    })
    expect(doctor).toMatchObject({ user: '0:0', environment: { WORK_DIR: '/tmp' } })
    expect(doctor?.volumes?.map(({ target }) => target)).toEqual(['/work', '/certificates'])
  })
})
