import type { LiveVendorSettings } from '../../../../platform/config/live-text-config.ts'
import type { LiveEngine } from '../../../../platform/ports/live-engine.ts'
import { ISO_CODES } from '../../transcriptions/engines/languages.ts'
import { openVendorStream, type Protocol, type StreamOptions } from './vendor-stream.ts'

/** A vendor's engine. It refuses a language that it does not know before anything is sent. */
export function vendorEngine(
  name: string,
  { languages }: Pick<LiveVendorSettings, 'languages'>,
  protocolOf: (options: StreamOptions) => Protocol,
): LiveEngine {
  return {
    name,
    open(options, sink) {
      if (languages.includes(options.language)) {
        const asked = withoutSameLanguage(options)
        return openVendorStream(protocolOf(asked), asked, sink)
      }
      queueMicrotask(() => sink.ended(new Error('the engine does not know the language')))
      return { push: () => undefined, end: () => undefined }
    },
  }
}

/** Vendors translate between languages, and not between the scripts of one. */
function withoutSameLanguage(options: StreamOptions): StreamOptions {
  const { language, translateTo } = options
  const isSame = translateTo !== null && ISO_CODES[language] === ISO_CODES[translateTo]
  return isSame ? { ...options, translateTo: null } : options
}
