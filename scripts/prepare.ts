import { areOwnPagesStale, buildPages } from '../server/src/api/pages/build-pages.ts'
import { BUILT_PAGES } from '../server/src/platform/config/config.ts'

/** After `npm install` in a clone: builds the pages that `npm run serve` needs. */

// Without development dependencies there are no tools to build them.
if (await areOwnPagesStale(BUILT_PAGES)) await buildPages()
