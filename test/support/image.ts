import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, globSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { execPath } from 'node:process'
import {
  type Dockerfile,
  execForm,
  healthCommand,
  type Instruction,
  lastOf,
  pairsOf,
  type Stage,
} from './dockerfile.ts'

/** What an engine would run: a command in a folder, as a user. */
export interface Image {
  readonly root: string
  readonly cwd: string
  readonly command: readonly string[]
  readonly health: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly uid: number
}

/** Where the base image keeps Node. */
const NODE = '/nodejs/bin/node'

/**
 * Follows the Dockerfile without an engine: a folder stands for each stage's file system, the packages that are
 * installed here for `npm ci`, the Node of this process for the one of the base images.
 * @param folder an empty one
 */
export function makeImage({ stages }: Dockerfile, folder: string): Image {
  const roots = new Map<string, string>()
  let made = { root: folder, cwd: '/' }
  for (const [index, stage] of stages.entries()) {
    const [, name = `${index}`] = / AS (\S+)$/.exec(stage.from.argument) ?? []
    const root = join(folder, name)
    roots.set(name, root)
    made = { root, cwd: fill(root, stage, roots) }
  }
  const { root, cwd } = made
  const stage = stages.at(-1)
  if (!stage) throw new Error('the Dockerfile has no stage')
  mkdirSync(dirname(join(root, NODE)), { recursive: true })
  copyFileSync(execPath, join(root, NODE))
  return {
    root,
    cwd: join(root, cwd),
    command: [...execForm(lastOf(stage, 'ENTRYPOINT')), ...execForm(lastOf(stage, 'CMD'))],
    health: healthCommand(stage),
    environment: pairsOf(stage, 'ENV'),
    uid: Number.parseInt(lastOf(stage, 'USER').argument, 10),
  }
}

/** @returns the working directory at the end */
function fill(root: string, { instructions }: Stage, roots: ReadonlyMap<string, string>): string {
  let cwd = '/'
  mkdirSync(root)
  const steps: Readonly<Record<string, (instruction: Instruction) => void>> = {
    WORKDIR({ argument }) {
      cwd = resolve(cwd, argument)
      mkdirSync(join(root, cwd), { recursive: true })
    },
    COPY({ flags: { from }, argument }) {
      const sources = argument.split(/\s+/)
      const target = resolve(cwd, sources.pop() ?? '')
      for (const source of sources)
        copy(from === undefined ? source : join(roots.get(from) ?? '', source), join(root, target))
    },
    RUN(instruction) {
      const [program, ...options] = execForm(instruction)
      if (program === 'npm') symlinkSync(resolve('node_modules'), join(root, cwd, 'node_modules'))
      else execFileSync(execPath, options, { cwd: join(root, cwd) })
    },
  }
  for (const instruction of instructions) steps[instruction.name]?.(instruction)
  return cwd
}

/** A folder hands over what is in it, a file itself. */
function copy(pattern: string, target: string): void {
  const sources = globSync(pattern)
  if (sources.length === 0) throw new Error(`nothing to copy: ${pattern}`)
  mkdirSync(target, { recursive: true })
  for (const source of sources) {
    cpSync(source, statSync(source).isDirectory() ? target : join(target, basename(source)), { recursive: true })
  }
}
