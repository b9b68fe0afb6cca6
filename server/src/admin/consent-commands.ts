import { LOCALES } from '@interview-room/contract/vocabulary.ts'
import type { Db } from '../platform/db/db.ts'
import {
  readConsentSettings,
  setConsentPolicy,
  setConsentText,
  setReturnUrl,
} from '../platform/tenants/consent-settings.ts'
import { UsageError } from './command-error.ts'
import type { Command } from './command.ts'

/** What the panelists of a tenant are asked and read. Verbs of `tenants`. */
export const CONSENT_COMMANDS: Record<string, Command> = {
  consent: {
    usage: '--tenant <id> [--recording ask|obtained] [--observation informed|required]',
    summary: 'Set what panelists are asked; without an option, show it with their texts.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const recordingConsent = options.word('recording', ['ask', 'obtained'])
      const observationConsent = options.word('observation', ['informed', 'required'])
      await setConsentPolicy(db, tenantId, {
        ...(recordingConsent !== undefined && { recordingConsent }),
        ...(observationConsent !== undefined && { observationConsent }),
      })
      return shown(db, tenantId)
    },
  },
  'consent-text': {
    usage:
      '--tenant <id> --language ja|en --version <text> --company <text> --purpose <text> --retention <text> --contact <text>',
    summary: 'Set what panelists read before they answer, in one language.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const language = options.word('language', LOCALES)
      if (language === undefined) throw new UsageError('--language is required')
      await setConsentText(db, tenantId, {
        language,
        version: options.required('version'),
        company: options.required('company'),
        purpose: options.required('purpose'),
        retention: options.required('retention'),
        contact: options.required('contact'),
      })
      return shown(db, tenantId)
    },
  },
  'return-url': {
    usage: '--tenant <id> [--url <https://...>]',
    summary: 'Where panelists may go after the interview; without a URL, nowhere.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const returnUrl = options.optional('url') ?? null
      return { tenant_id: tenantId, return_url: await setReturnUrl(db, { tenantId, returnUrl }) }
    },
  },
}

async function shown(db: Db, tenantId: string): Promise<object> {
  const settings = await readConsentSettings(db, tenantId)
  return {
    tenant_id: tenantId,
    recording_consent: settings.recordingConsent,
    observation_consent: settings.observationConsent,
    return_url: settings.returnUrl,
    consent_texts: settings.texts,
  }
}
