import type { VendorSettings } from '../../../../platform/config/vendors.ts'
import type { Engine } from './engine.ts'

/** Makes a vendor's engine of its settings. */
export interface VendorAdapter {
  create(settings: VendorSettings): Engine
}
