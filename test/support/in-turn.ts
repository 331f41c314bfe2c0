import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kill, pid } from 'node:process'
import { setTimeout } from 'node:timers/promises'

const LOCKS = 'node_modules/.cache/gatehouse/locks'
const POLL_MS = 100

/** Does work of which all processes of the tests do one piece at a time. */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const lock = join(LOCKS, name)
  while (!take(lock)) await setTimeout(POLL_MS)
  try {
    return await work()
  } finally {
    rmSync(lock)
  }
}

/** The lock holds the id of its process; that of a process which has ended is nobody's. */
function take(lock: string): boolean {
  mkdirSync(LOCKS, { recursive: true })
  try {
    writeFileSync(lock, String(pid), { flag: 'wx' })
    return true
  } catch {
    if (!isAlive(holderOf(lock))) rmSync(lock, { force: true })
    return false
  }
}

/** 0 where nobody has written it yet: that is this process's own group, which is alive. */
function holderOf(lock: string): number {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch {
    return 0
  }
}

function isAlive(process: number): boolean {
  try {
    return kill(process, 0)
  } catch {
    return false
  }
}
