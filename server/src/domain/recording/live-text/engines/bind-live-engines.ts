import type {
  LiveTextConfig,
  LiveVendor,
  LiveVendorSettings,
} from '../../../../platform/config/live-text-config.ts'
import type { LiveEngine } from '../../../../platform/ports/live-engine.ts'
import { createLiveDeepgram } from './deepgram.ts'
import { createLiveGladia } from './gladia.ts'
import { createLiveProgram } from './local-program.ts'
import { createLiveSoniox } from './soniox.ts'
import { createLiveSpeechmatics } from './speechmatics.ts'

/** A new engine needs one file, one line here, and its settings in `live-text-config.ts`. */
const VENDOR_ENGINES = {
  soniox: createLiveSoniox,
  deepgram: createLiveDeepgram,
  gladia: createLiveGladia,
  speechmatics: createLiveSpeechmatics,
} as const satisfies Record<LiveVendor, (settings: LiveVendorSettings) => LiveEngine>

/** The engines of live text, in the order in which they are tried. */
export function bindLiveEngines({ engines, local, vendors }: LiveTextConfig): LiveEngine[] {
  return engines.flatMap((adapter) => {
    if (adapter !== 'local') return VENDOR_ENGINES[adapter](vendors[adapter])
    return local === undefined ? [] : createLiveProgram(local)
  })
}
