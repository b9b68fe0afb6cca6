import { resealKeys } from '../platform/service-keys/reseal-keys.ts'
import { resealSecrets } from '../platform/webhooks/reseal-secrets.ts'
import type { Answer, Command } from './command.ts'

/** Commands for values that are encrypted with SECRETS_KEY. */
export const SECRET_COMMANDS: Record<string, Command> = {
  reencrypt: {
    summary:
      'Encrypt with SECRETS_KEY what is still encrypted with SECRETS_KEY_PREVIOUS. Exit code 1: neither decrypts a secret.',
    async run(deps) {
      const [keys, webhooks] = [await resealKeys(deps), await resealSecrets(deps)]
      return {
        secrets: keys.secrets + webhooks.secrets,
        reencrypted: keys.resealed + webhooks.resealed,
        unreadable: keys.unreadable + webhooks.unreadable,
      }
    },
    hasFailed: (answer: Answer) => 'unreadable' in answer && answer.unreadable !== 0,
  },
}
