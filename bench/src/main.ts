import { measureMediaRoom } from './media-room.ts'

/** `npm run bench -- media-room --minutes 10`. Prints a report; asserts nothing. */
const BENCHMARKS: Record<string, (args: string[]) => Promise<void>> = {
  'media-room': measureMediaRoom,
}

const [name = '', ...args] = process.argv.slice(2)
const benchmark = BENCHMARKS[name]
if (benchmark === undefined) {
  console.log(`usage: npm run bench -- <${Object.keys(BENCHMARKS).join(' | ')}> [--minutes N]`)
  process.exitCode = 2
} else {
  await benchmark(args)
}
