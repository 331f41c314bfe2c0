import { readFileSync } from 'node:fs'

export interface Instruction {
  readonly name: string
  /** What stands before the arguments: `--from=build` as `from`, `build`. */
  readonly flags: Readonly<Record<string, string>>
  readonly argument: string
}

/** What follows one FROM. */
export interface Stage {
  readonly from: Instruction
  readonly instructions: readonly Instruction[]
}

export interface Dockerfile {
  /** What stands before the first stage. */
  readonly head: readonly Instruction[]
  readonly stages: readonly Stage[]
}

/** Reads what this project's Dockerfile uses of the format: no here-documents, no escape directive. */
export function readDockerfile(path: string): Dockerfile {
  const head: Instruction[] = []
  const stages: { readonly from: Instruction; readonly instructions: Instruction[] }[] = []
  const lines = readFileSync(path, 'utf8')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll('\\\n', '')
    .split('\n')
  for (const instruction of lines.filter((line) => line.trim() !== '').map(instructionOf)) {
    if (instruction.name === 'FROM') stages.push({ from: instruction, instructions: [] })
    else (stages.at(-1)?.instructions ?? head).push(instruction)
  }
  return { head, stages }
}

function instructionOf(line: string): Instruction {
  const [, name = '', flags = '', argument = ''] = /^\s*([A-Z]+)\s+((?:--\S+\s+)*)(.*?)\s*$/.exec(line) ?? []
  const pairs = [...flags.matchAll(/--([^=\s]+)=(\S+)/g)].map(([, flag = '', value = '']) => [flag, value])
  return { name, flags: Object.fromEntries(pairs), argument }
}

/** The last of its name, which is the one that counts. */
export function lastOf({ instructions }: Stage, name: string): Instruction {
  const instruction = instructions.findLast((candidate) => candidate.name === name)
  if (!instruction) throw new Error(`the Dockerfile has no ${name}`)
  return instruction
}

/** @throws SyntaxError for the shell form, which would start a shell that the image does not have */
function execForm({ argument }: Instruction): readonly string[] {
  return JSON.parse(argument)
}

/** The command of a HEALTHCHECK. */
export function healthCommand(stage: Stage): readonly string[] {
  const { argument, ...check } = lastOf(stage, 'HEALTHCHECK')
  return execForm({ ...check, argument: argument.replace(/^CMD\s+/, '') })
}
