import rules from './.dependency-cruiser.mjs'

/** Of the product alone: tests and their tools import from everywhere. */
export default {
  forbidden: [
    {
      name: 'no-cycles-between-folders',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...rules.options, exclude: { path: String.raw`/dist/|\.test\.tsx?$|/testing/` } },
}
