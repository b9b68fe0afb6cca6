/**
 * Whether this is the long run (`npm run test:long`), which takes every round and every look. An everyday
 * run takes one of each kind.
 */
export const IS_FULL_RUN = process.env['TEST_SCOPE'] === 'whole'
