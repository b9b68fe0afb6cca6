import { execFile, execFileSync } from 'node:child_process'
import { chmod, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installWithApt } from '../local/lib/apt.ts'
import { ROOT } from '../testing/repository-copy.ts'
import { IS_FULL_RUN } from '../testing/scope.ts'

/** Runs the README's commands on a fresh Debian 13, with its own Node and npm. */

const SUITE = 'trixie'
const USER = 'researcher'
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
/** Packages for the commands of these tests. Recordings need more. */
const FOR_A_START = ['curl', 'git', 'nodejs', 'npm']
/** Packages that the README requires for the tests, too. */
const FOR_TESTS = [
  'chromium',
  'ffmpeg',
  'flite',
  'fonts-noto-cjk',
  'pocketsphinx',
  'pocketsphinx-en-us',
]
const RUN_MAX_MS = 90 * 60_000

const run = promisify(execFile)
const canRun =
  IS_FULL_RUN && process.getuid?.() === 0 && installWithApt(['debootstrap', 'util-linux'])

interface Debian {
  /** Runs a script as its root. Mounts and processes end with it, so that the folder can be removed. */
  asRoot(script: string): Promise<string>
  /** Runs a script in a clone, as a user who is not root. */
  asUser(script: string): Promise<string>
  remove(): Promise<void>
}

/** A fresh Debian 13 with these packages, in a folder. */
async function makeDebian(packages: readonly string[]): Promise<Debian> {
  const root = await mkdtemp(path.join(tmpdir(), 'interview-room-debian-'))
  const asRoot = (script: string) => runIn(root, script)
  // A folder of mkdtemp is for its owner only, and this one becomes the root of a user.
  await chmod(root, 0o755)
  await run('debootstrap', ['--variant=minbase', SUITE, root, await mirror()], {
    maxBuffer: 2 ** 26,
  })
  for (const file of ['/etc/resolv.conf', '/etc/hosts']) await cp(file, path.join(root, file))
  await asRoot(`
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends ca-certificates ${packages.join(' ')}
    useradd --create-home ${USER}`)
  // This machine's certificates, because a proxy on the way to the registry may have its own.
  await cp(CERTIFICATES, path.join(root, CERTIFICATES))
  const clone = path.join(root, 'home', USER, 'clone')
  execFileSync('git', ['clone', '--quiet', ROOT, clone])
  await asRoot(`chown -R ${USER}: /home/${USER}`)
  return {
    asRoot,
    asUser: (script) => asRoot(`su - ${USER} -c '${ENVIRONMENT} cd clone && ${script}'`),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

const ENVIRONMENT = `export NODE_EXTRA_CA_CERTS=${CERTIFICATES} npm_config_cafile=${CERTIFICATES};`

async function runIn(root: string, script: string): Promise<string> {
  const mounts = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev"'
  const enter = `${mounts} && exec chroot "$1" sh -euc "$2"`
  const args = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh', root, script]
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
  const { stdout } = await run('unshare', args, { env, timeout: RUN_MAX_MS, maxBuffer: 2 ** 28 })
  return stdout
}

const START = 'npm install && npm start > start.log 2>&1 &'
const SERVED =
  'until curl --silent --fail --output /dev/null http://localhost:3000/; do sleep 1; done'

describe.runIf(canRun)('a fresh Debian 13 without ffmpeg and fonts', () => {
  let debian: Debian
  beforeAll(async () => {
    debian = await makeDebian(FOR_A_START)
  }, RUN_MAX_MS)
  afterAll(async () => debian.remove(), RUN_MAX_MS)

  test(
    'records an interview after npm install && npm start as root',
    async () => {
      const said = await debian.asRoot(`${ENVIRONMENT} cp -r /home/${USER}/clone /clone && cd /clone
      ${START}
      ${SERVED}
      npm run --silent doctor
      npm test -- e2e src/recording.test.ts || true
      cat test-results/summary.txt`)
      expect(said).toMatch(/^ok +livekit:recording /m)
      expect(said).toMatch(/\nNothing failed, /)
      // Letters of other scripts may be missing.
      expect(said).not.toContain('fonts-noto-cjk')
      expect(said).toMatch(/\n[1-9]\d* passed, 0 failed\n$/)
    },
    RUN_MAX_MS,
  )
})

describe.runIf(canRun)('a fresh Debian 13', () => {
  let debian: Debian
  beforeAll(async () => {
    debian = await makeDebian([...FOR_A_START, ...FOR_TESTS])
  }, RUN_MAX_MS)
  afterAll(async () => debian.remove(), RUN_MAX_MS)

  test('has the oldest Node and npm that the README allows', async () => {
    const said = await debian.asUser('node --version && npm --version')
    expect(said).toMatch(/^v20\.\d+\.\d+\n9\.2\.0\n$/)
  })

  test('runs npm install && npm start', { timeout: RUN_MAX_MS }, async () => {
    const said = await debian.asUser(`${START}
      ${SERVED}
      curl --silent --output /dev/null --write-out "%{http_code} %{content_type}" http://localhost:3000/`)
    expect(said).toMatch(/200 text\/html; charset=utf-8$/)
  })

  test('passes npm install && npm test', { timeout: RUN_MAX_MS }, async () => {
    const said = await debian.asUser(
      'npm install && npm test || true; cat test-results/summary.txt',
    )
    expect(said).toMatch(/\n\d{4,} passed, 0 failed\n$/)
  })
})

/** The mirror that this machine installs its own packages from. */
async function mirror(): Promise<string> {
  const folder = '/etc/apt/sources.list.d'
  const files = (await readdir(folder)).map((name) => path.join(folder, name))
  const texts = await Promise.all(
    [...files, '/etc/apt/sources.list'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const [address] = /https?:\/\/\S+\/debian\b\/?(?=\s)/.exec(texts.join('\n')) ?? []
  if (address === undefined) throw new Error('no mirror of Debian in /etc/apt')
  return address
}
