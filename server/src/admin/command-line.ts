import { Command as Program, CommanderError } from 'commander'
import type { Command, Commands } from './command.ts'
import { type Options, optionsOf } from './options.ts'

/** A command line that names a command, and has every option that the command needs. */
interface Call {
  command: Command
  options: Options
  /** It follows the message about wrong use. */
  usage: string
}

/** The answer without a command: help with exit code 0, or wrong use with 2. */
interface Refusal {
  exitCode: 0 | 2
  stdout: string
  stderr: string
}

const SETTINGS =
  'The database is DATABASE_URL (with SECRETS_KEY), or that of the service running on DATA_DIR.'
const SEE = 'See: npm run admin -- --help'

/** Reads a command line. Nothing is run yet. */
export function readCommandLine(args: string[], commands: Commands): Call | Refusal {
  const printed = { stdout: '', stderr: '' }
  const program = new Program('npm run admin --')
    .exitOverride()
    .enablePositionalOptions()
    .helpCommand(false)
    .showHelpAfterError(SEE)
    .addHelpText('afterAll', `\n${SETTINGS}`)
    .configureHelp({
      visibleCommands: (group) => group.commands.flatMap(leavesOf),
      subcommandTerm: (leaf) => pathOf(leaf).slice(1).join(' '),
    })
    .configureOutput({
      writeOut: (text) => (printed.stdout += text),
      writeErr: (text) => (printed.stderr += text),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
  let call: Call | undefined
  for (const [noun, verbs] of Object.entries(commands)) {
    const group = program.command(noun)
    for (const [verb, command] of Object.entries(verbs)) {
      const leaf = verb === '' ? group : group.command(verb)
      const usage = declare(leaf, command)
      leaf.action(() => {
        call = { command, options: optionsOf(leaf), usage }
      })
    }
  }
  // Its help lists the verbs of every noun, which would be suggested for a noun.
  program.showSuggestionAfterError(false)
  try {
    program.parse(args.length === 0 ? ['--help'] : args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return { exitCode: error.exitCode === 0 ? 0 : 2, ...printed }
  }
  if (call === undefined) throw new Error('no command was chosen')
  return call
}

/** Returns the usage of the command. */
function declare(leaf: Program, { needs = [], takes = [], summary }: Command): string {
  const words = [...needs, ...takes.map((flags) => `[${flags}]`)].join(' ')
  leaf.description(summary).usage(words)
  for (const flags of needs) leaf.requiredOption(flags)
  for (const flags of takes) leaf.option(flags)
  leaf.option('--json', 'print the answer as JSON')
  const usage = `Usage: ${[...pathOf(leaf), words].join(' ').trimEnd()}\n${SEE}`
  leaf.showHelpAfterError(usage)
  return usage
}

/** The commands under a noun, after the noun itself if it is a command. */
function leavesOf(group: Program): readonly Program[] {
  return group.description() === '' ? group.commands : [group, ...group.commands]
}

function pathOf(command: Program): string[] {
  return [...(command.parent === null ? [] : pathOf(command.parent)), command.name()]
}
