import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useAdminTenant } from '../testing/admin-commands.ts'
import { IMAGES } from '../testing/images.ts'

const admin = useAdminTenant()
const { run, json } = admin
let folder: string
let tenant: string[]

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'branding-'))
  tenant = ['--tenant', admin.tenantId]
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(name: string, content: Buffer | string): string {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

const branding = (...options: string[]) => json('tenants', 'branding', ...tenant, ...options)

describe('tenants branding', () => {
  test('sets the given values, keeps the others, and removes all', async () => {
    expect(await branding()).toMatchObject({ name: null, logo_bytes: null, palette: null })
    await branding('--name', ' 調査会社 ', '--help-contact', '03-0000-0000')
    const set = await branding('--color', '#FFD400', '--logo', fileOf('logo.png', IMAGES.png))
    expect(set).toMatchObject({
      name: '調査会社',
      logo_bytes: IMAGES.png.length,
      help_contact: '03-0000-0000',
    })
    // Too pale for the light scheme, and corrected.
    expect(set.palette.dark.accent).toBe('#ffd400')
    expect(set.palette.light.accent).not.toBe('#ffd400')
    expect(await branding('--reset', '--name', 'Other')).toMatchObject({
      name: 'Other',
      logo_bytes: null,
      palette: null,
      help_contact: null,
      replaced: { name: '調査会社', logo_bytes: IMAGES.png.length, help_contact: '03-0000-0000' },
    })
  })

  test('--reset removes nothing if another option is refused', async () => {
    const before = await branding('--name', 'Kept Ltd')
    const refused = await run('tenants', 'branding', ...tenant, '--reset', '--color', 'red')
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect((await branding()).name).toBe(before.name)
  })

  test.each([
    ['--color', 'red', 'color must be such as #0b6e69'],
    ['--color', '#12345', 'color must be such as #0b6e69'],
    ['--name', 'x'.repeat(121), 'name must be one line of 1 to 120 characters'],
    ['--name', ' ', 'name must be one line of 1 to 120 characters'],
    ['--help-contact', 'two\nlines', 'help-contact must be one line of 1 to 120 characters'],
    ['--logo', '/nowhere/logo.png', '/nowhere/logo.png cannot be read'],
  ])('refuses %s %j', async (option, value, message) => {
    const before = await branding()
    const refused = await run('tenants', 'branding', ...tenant, option, value)
    expect(refused).toMatchObject({ exitCode: 1, stdout: '', stderr: `${message}\n` })
    expect(await branding()).toEqual(before)
  })

  test.each([
    ['a GIF', IMAGES.gif],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
    ['what was cut short', IMAGES.png.subarray(0, -8)],
    ['nothing', ''],
  ])('refuses %s as a logo', async (_name, content) => {
    const refused = await run('tenants', 'branding', ...tenant, '--logo', fileOf('wrong', content))
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: 'logo must be a complete PNG, JPEG or WebP image\n',
    })
  })

  test('refuses a logo of more than 32,000 bytes, and an unknown tenant', async () => {
    const large = fileOf('large.png', Buffer.alloc(32_001))
    const refused = await run('tenants', 'branding', ...tenant, '--logo', large)
    expect(refused.stderr).toContain('is larger than 32000 bytes')
    const unknown = await run('tenants', 'branding', '--tenant', randomUUID(), '--name', 'X')
    expect(unknown).toMatchObject({ exitCode: 1 })
    expect(unknown.stderr).toContain('there is no tenant')
  })
})
