import { runRecorderCli } from './cli.ts'

/** The recorder of the image. `bin/interview-recorder.js` starts it from the sources. */
await runRecorderCli(process.argv.slice(2), process.env)
