import { VIEWER_ABILITIES } from '@interview-room/contract/reviews.ts'
import { LOCALES } from '@interview-room/contract/vocabulary.ts'
import type { Db } from '../platform/db/db.ts'
import {
  readConsentSettings,
  setConsentPolicy,
  setConsentText,
  setReturnUrl,
  setStaffReview,
} from '../platform/tenants/consent-settings.ts'
import { UsageError } from './command-error.ts'
import type { Command } from './command.ts'
import { withReplaced } from './with-replaced.ts'

/** The consent questions and texts for a tenant's panelists. Verbs of `tenants`. */
export const CONSENT_COMMANDS: Record<string, Command> = {
  consent: {
    needs: ['--tenant <id>'],
    takes: ['--recording <ask|obtained>', '--observation <informed|required>'],
    summary: 'Set what panelists are asked; without an option, show it with their texts.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const recordingConsent = options.word('recording', ['ask', 'obtained'])
      const observationConsent = options.word('observation', ['informed', 'required'])
      const before = await shown(db, tenantId)
      await setConsentPolicy(db, tenantId, {
        ...(recordingConsent !== undefined && { recordingConsent }),
        ...(observationConsent !== undefined && { observationConsent }),
      })
      return withReplaced(before, await shown(db, tenantId))
    },
  },
  'consent-text': {
    needs: [
      '--tenant <id>',
      '--language <ja|en>',
      '--version <text>',
      '--company <text>',
      '--purpose <text>',
      '--retention <text>',
      '--contact <text>',
    ],
    summary: 'Set what panelists read before they answer, in one language.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const language = options.word('language', LOCALES)
      if (language === undefined) throw new UsageError('--language is required')
      const before = await shown(db, tenantId)
      await setConsentText(db, tenantId, {
        language,
        version: options.required('version'),
        company: options.required('company'),
        purpose: options.required('purpose'),
        retention: options.required('retention'),
        contact: options.required('contact'),
      })
      const after = await shown(db, tenantId)
      // Set only this language; the other ones stay.
      const textOf = ({ consent_texts: texts }: typeof after) => ({
        consent_texts: texts.filter((text) => text.language === language),
      })
      return { ...after, replaced: withReplaced(textOf(before), textOf(after)).replaced }
    },
  },
  'return-url': {
    needs: ['--tenant <id>'],
    takes: ['--url <https://...>', '--for <panelists|staff>'],
    summary: 'Where panelists or staff may go after the interview; without a URL, nowhere.',
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const returnUrl = options.optional('url') ?? null
      const isForStaff = options.word('for', ['panelists', 'staff']) === 'staff'
      const name = isForStaff ? 'staff_return_url' : 'return_url'
      const before = (await shown(db, tenantId))[name]
      const after = await setReturnUrl(db, { tenantId, returnUrl, isForStaff })
      return withReplaced(
        { tenant_id: tenantId, [name]: before },
        { tenant_id: tenantId, [name]: after },
      )
    },
  },
  'staff-review': {
    needs: ['--tenant <id>'],
    takes: ['--may <ability...>'],
    summary: `What staff may do with recordings after the interview: ${VIEWER_ABILITIES.join(', ')}; without --may, nothing.`,
    async run({ db }, options) {
      const tenantId = options.uuid('tenant')
      const may = options.words('may', VIEWER_ABILITIES) ?? []
      const { staff_review: before } = await shown(db, tenantId)
      await setStaffReview(db, tenantId, may)
      return withReplaced(
        { tenant_id: tenantId, staff_review: before },
        { tenant_id: tenantId, staff_review: may },
      )
    },
  },
}

async function shown(db: Db, tenantId: string) {
  const settings = await readConsentSettings(db, tenantId)
  return {
    tenant_id: tenantId,
    recording_consent: settings.recordingConsent,
    observation_consent: settings.observationConsent,
    return_url: settings.returnUrl,
    staff_return_url: settings.staffReturnUrl,
    staff_review: settings.staffReview,
    consent_texts: settings.texts,
  }
}
