import { argv, exit, stderr, stdout } from 'node:process'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { ConfigError } from '../lib/runtime/config.ts'
import { jsonLine } from '../lib/runtime/log.ts'
import { StartError } from './errors.ts'
import { joinRun } from './stack/running.ts'

/** Invalid options; the message says in one line what is wrong with them. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

interface Command {
  /** As in `npm run <name>`. */
  readonly name: string
  /** What `--help` prints. */
  readonly usage: string
  /** The exit code when the command fails; 1 unless the command uses 1 for something else. */
  readonly failure?: number
  /** @returns the exit code */
  readonly run: (args: readonly string[]) => Promise<number> | number
}

/**
 * Runs a command in this process: its help, its work, and its errors in one line each, with `--json` an object for each. Wrong
 * options exit with 2; a bug shows its stack.
 */
export async function runCommand({ name, usage, failure = 1, run }: Command): Promise<never> {
  const args = argv.slice(2)
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    exit(BROKEN_PIPE)
  })
  if (args.includes('--help') || args.includes('-h')) {
    printerFor(isJson)({ command: name, usage }, usage)
    exit(0)
  }
  try {
    if (!args.some((option) => /^--(?:url|stage)\b/.test(option))) await joinRun()
    const code = await run(args)
    await written()
    exit(code)
  } catch (error) {
    if (error instanceof UsageError) end(`${error.message} (npx gatehouse ${name} --help shows more)`, 2)
    if (error instanceof ConfigError) end(`Wrong settings: ${error.problems.join('; ')}`, failure)
    if (error instanceof StartError) end(error.message, failure)
    throw error
  }
}

/** Known before the options are read: what is wrong with them is for machines, too. */
const isJson = argv.includes('--json')

/** The exit code of a process that wrote to a closed pipe: 128 and SIGPIPE. */
const BROKEN_PIPE = 141

/** Writes to a pipe are asynchronous, and an exit would lose them. */
function written(): Promise<void> {
  return new Promise((resolve) => {
    stdout.write('', () => resolve())
  })
}

function end(message: string, code: number): never {
  stderr.write(`${isJson ? jsonLine({ error: message }) : message}\n`)
  exit(code)
}

/** The kinds of options, as Node's `parseArgs` has them. */
export const FLAG = { type: 'boolean', default: false } as const
export const TEXT = { type: 'string' } as const

/** Prints a result: for machines as one line of JSON, if there is something for them; for people as text. */
export type Print = (value: object | undefined, text: string) => void

/** @param json whether machines read it */
export function printerFor(json: boolean): Print {
  return (value, text) => {
    if (!json) stdout.write(text)
    else if (value !== undefined) stdout.write(`${jsonLine(value)}\n`)
  }
}

/** Node's `parseArgs`, which would take the last of two values. @throws UsageError */
export function readOptions<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    const parsed = parseArgs({ ...config, tokens: true })
    const { tokens = [] } = parsed
    const names = tokens.flatMap((one) => (one.kind === 'option' && isSingle(config, one.name) ? one.name : []))
    const twice = names.find((name, at) => names.indexOf(name) < at)
    if (twice !== undefined) throw new Error(`--${twice} is given twice`)
    return parsed as ReturnType<typeof parseArgs<T>>
  } catch (error) {
    // The rest of the text is advice on how to pass positional arguments.
    const [problem = ''] = (error instanceof Error ? error.message : '').split(/\. (?=To )/)
    throw new UsageError(problem.replace(/\.$/, ''), { cause: error })
  }
}

function isSingle({ options }: ParseArgsConfig, name: string): boolean {
  const { type, multiple: isMultiple = false } = options?.[name] ?? {}
  return type === 'string' && !isMultiple
}

/**
 * Parses the value of an option as a whole number.
 * @throws UsageError naming the option
 */
export function wholeOption(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}`)
}

/** The value of `--stage`. @throws UsageError */
export function stageOption(text = ''): string {
  if (/^[a-z][a-z0-9-]{0,30}$/.test(text) && text !== 'local') return text
  throw new UsageError('--stage must name a deployed stage')
}

/**
 * Parses the value of an option as the address of a service.
 * @throws UsageError
 */
export function addressOption(text: string, name = '--url'): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text)
  throw new UsageError(`${name} must be an http or https address`)
}

/** A text of a stranger on one line of a terminal, which would obey control characters. */
export function shownText(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
}
