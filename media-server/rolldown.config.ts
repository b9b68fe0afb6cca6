import { defineConfig } from 'rolldown'

/** The package brings its own code and the composer's; what it depends on is installed beside it. */
export default defineConfig({
  input: {
    cli: 'src/cli.ts',
    'recorder/cli': 'src/recorder/cli.ts',
    'compose-main': '@interview-room/composer/compose-main.ts',
  },
  platform: 'node',
  external: (id) => /^[^./]/.test(id) && !id.startsWith('@interview-room/'),
  output: { dir: 'dist', format: 'esm', entryFileNames: '[name].js' },
})
