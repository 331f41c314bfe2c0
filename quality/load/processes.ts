import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** What the system tells of a process. */
export interface ProcessSample {
  readonly pid: number
  readonly name: string
  readonly rss: number
  readonly descriptors: number
}

/** What a process that imports `watch-process.mjs` tells of itself, every ten seconds: bytes and milliseconds. */
export interface OwnSample {
  readonly at: number
  readonly heap: number
  readonly delayP99: number
  readonly delayMax: number
}

/** What ties an emulator to the service (`localstack/emulators/tethered.ts`). */
const TETHERS = new Set(['sh', 'cat'])

/** A process and all that it started, by what Linux keeps of each in /proc. */
export function processesOf(pid: number): readonly ProcessSample[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const all = stdout.split('\n').flatMap((line) => {
    const [, id, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return id === undefined ? [] : [{ pid: Number(id), parent: Number(parent), name: nameOf(command) }]
  })
  const tree = new Set([pid])
  // A child may stand before its parent when numbers have begun anew.
  for (let before = 0; before < tree.size; ) {
    before = tree.size
    for (const one of all) if (tree.has(one.parent)) tree.add(one.pid)
  }
  return all.filter((one) => tree.has(one.pid) && !TETHERS.has(one.name)).flatMap(sampleOf)
}

/** The program, or what Node runs. */
function nameOf(command: string): string {
  const [program = '', ...rest] = command.split(' ')
  const script = rest.find((word) => /\.[mc]?[jt]s$/.test(word))
  return basename(basename(program) === 'node' && script ? script : program)
}

function sampleOf({ pid, name }: { pid: number; name: string }): readonly ProcessSample[] {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return [{ pid, name, rss: Number(kilobytes) * 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length }]
  } catch (error) {
    // It ended in between, as `ps` itself does.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

export function ownSamples(folder: string, pid: number): readonly OwnSample[] {
  const file = `${folder}/${pid}.jsonl`
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}
