import { argv, exit, stderr, stdout } from 'node:process'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { ConfigError } from '../lib/runtime/config.ts'
import { StartError } from './start-error.ts'

/** Options that make no command; its message says in one line what is wrong with them. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

interface Command {
  /** As in `npm run <name>`. */
  readonly name: string
  /** What `--help` prints. */
  readonly usage: string
  /** What the process ends with when the command cannot do its work; 1 unless that means something else. */
  readonly failure?: number
  /** @returns the exit code */
  readonly run: (args: readonly string[]) => Promise<number> | number
}

/**
 * Runs a command in place of this process: its help, its work, and its errors in one line each. Wrong options end with
 * 2; a bug is left to show its stack.
 */
export async function runCommand({ name, usage, failure = 1, run }: Command): Promise<never> {
  const args = argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(usage)
    exit(0)
  }
  try {
    exit(await run(args))
  } catch (error) {
    if (error instanceof UsageError) end(`${error.message} (npm run ${name} -- --help tells more)`, 2)
    if (error instanceof ConfigError) end(`Wrong settings: ${error.problems.join('; ')}`, failure)
    if (error instanceof StartError) end(error.message, failure)
    throw error
  }
}

function end(message: string, code: number): never {
  stderr.write(`${message}\n`)
  exit(code)
}

/** As `parseArgs` of Node. @throws UsageError */
export function readOptions<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    // The rest of the text is advice on how to pass positional arguments.
    const [problem = ''] = (error instanceof Error ? error.message : '').split(/\. (?=To )/)
    throw new UsageError(problem.replace(/\.$/, ''), { cause: error })
  }
}

/**
 * A whole number among the options.
 * @throws UsageError naming the option
 */
export function wholeOption(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}`)
}

/**
 * The address of a service among the options.
 * @throws UsageError
 */
export function addressOption(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text)
  throw new UsageError('--url must be an http or https address')
}
