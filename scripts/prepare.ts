import { areOwnPagesStale, buildPages } from '../server/src/api/pages/build-pages.ts'
import { BUILT_PAGES } from '../server/src/platform/config/config.ts'

/** After `npm install` in a clone: the pages that `npm run serve` needs. Without development dependencies, none. */
if (await areOwnPagesStale(BUILT_PAGES)) await buildPages()
