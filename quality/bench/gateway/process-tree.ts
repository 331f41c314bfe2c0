import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time in hundredths of a second, whatever its clock does (`USER_HZ`). */
const TICK_MILLISECONDS = 10

interface Process {
  readonly pid: number
  readonly parent: number
  /** Of the process and of all its children that have ended, in milliseconds. */
  readonly cpu: number
}

/** Microseconds of CPU that the threads of a process have taken until now (Linux, Documentation/scheduler/sched-stats.rst). */
export function cpuOfProcess(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0],
  )
  return nanoseconds.reduce((sum, spent) => sum + Number(spent), 0) / 1000
}

/** Milliseconds of CPU that a process and everything it started have taken until now, what has ended included. */
export function cpuOfTree(root: number): number {
  return treeOf(root).reduce((sum, { cpu }) => sum + cpu, 0)
}

function treeOf(root: number): readonly Process[] {
  const all = running()
  const below = (pid: number): readonly Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)])
  return [...all.filter(({ pid }) => pid === root), ...below(root)]
}

function running(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => processOf(Number(pid)) ?? [])
}

/** proc(5), `/proc/pid/stat`; nothing for a process that has ended meanwhile. */
function processOf(pid: number): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold anything; what follows is the state, field 3.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const field = (number: number) => Number(fields[number - 3])
    const ticks = field(14) + field(15) + field(16) + field(17)
    return { pid, parent: field(4), cpu: ticks * TICK_MILLISECONDS }
  } catch {
    return undefined
  }
}
