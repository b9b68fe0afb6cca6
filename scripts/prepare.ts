import path from 'node:path'
import { areOwnPagesStale, buildPages } from '../server/src/api/pages/build-pages.ts'
import { BUILT_PAGES } from '../server/src/platform/config/config.ts'
import { trimPackages } from './trim-packages.ts'

/** After `npm install` in a clone: packages without what is never opened, and the pages that `npm run serve` needs. */

await trimPackages(path.join(import.meta.dirname, '../node_modules'))
// Without development dependencies there are no tools to build them.
if (await areOwnPagesStale(BUILT_PAGES)) await buildPages()
