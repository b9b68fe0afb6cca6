/** True in the long run (`npm run test:long`), which runs every round and every variant. An everyday run takes one of each kind. */
export const IS_FULL_RUN = process.env['TEST_SCOPE'] === 'whole'
