import { areOwnPagesStale, buildPages } from '../server/src/api/pages/build-pages.ts'
import { BUILT_PAGES } from '../server/src/platform/config/config.ts'

/** Runs after `npm install` in a clone, and builds the pages that `npm run serve` needs. */

// An installation without development dependencies has no build tools.
if (await areOwnPagesStale(BUILT_PAGES)) await buildPages()
