import { readFileSync, statSync } from 'node:fs'
import { type Db, inTransaction } from '../platform/db/db.ts'
import { LOGO_MAX_BYTES, resetBranding, setBranding } from '../platform/tenants/branding.ts'
import { readConsentSettings } from '../platform/tenants/consent-settings.ts'
import { CommandError } from './command-error.ts'
import type { Command } from './command.ts'
import { withReplaced } from './with-replaced.ts'

/** How the rooms of a tenant look. Verbs of `tenants`. */
export const BRANDING_COMMANDS: Record<string, Command> = {
  branding: {
    needs: ['--tenant <id>'],
    takes: [
      '--name <text>',
      '--logo <file>',
      '--color <#rrggbb>',
      '--help-contact <text>',
      '--reset',
    ],
    summary:
      'Set name, logo, colour and help contact of its rooms; without an option, show them. --reset first removes all.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const logo = options.optional('logo')
      const change = {
        name: options.optional('name'),
        logo: logo === undefined ? undefined : readLogoFile(logo),
        color: options.optional('color'),
        helpContact: options.optional('help-contact'),
      }
      const before = await shown(db, tenantId)
      await inTransaction(db, async (tx) => {
        if (options.flag('reset')) await resetBranding(tx, tenantId)
        await setBranding(tx, tenantId, change)
      })
      return withReplaced(before, await shown(db, tenantId))
    },
  },
}

function readLogoFile(file: string): Buffer {
  try {
    // A file that is far too large is not read.
    if (statSync(file).size > LOGO_MAX_BYTES) {
      throw new CommandError(`${file} is larger than ${LOGO_MAX_BYTES} bytes`)
    }
    return readFileSync(file)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${file} cannot be read`)
  }
}

async function shown(db: Db, tenantId: string): Promise<object> {
  const { branding } = await readConsentSettings(db, tenantId)
  const { name, logo_url: logo, palette, help_contact: helpContact } = branding
  return {
    tenant_id: tenantId,
    name,
    logo_bytes: logo === null ? null : Buffer.from(logo.split(',')[1] ?? '', 'base64').length,
    // Corrected as the pages do it: a colour with too little contrast is changed.
    palette,
    help_contact: helpContact,
  }
}
