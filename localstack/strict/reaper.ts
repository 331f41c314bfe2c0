import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Reads lines, each with all groups of processes that run now. When the pipe closes, even after SIGKILL, it ends the
 * last groups and removes the folder: a frozen process cannot notice that its parent has ended.
 */
const SCRIPT =
  'groups=; while read -r line; do groups=$line; done; for group in $groups; do kill -9 -$group; done 2>/dev/null; rm -rf "$0"'

interface Reaper {
  /** For files that go when this process ends. */
  readonly folder: string
  readonly add: (group: number) => void
  readonly remove: (group: number) => void
}

let running: Reaper | undefined

/** Ends what this process has started, however this process ends. */
export function reaper(): Reaper {
  running ??= start()
  return running
}

function start(): Reaper {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-strict-'))
  const child = spawn('/bin/sh', ['-c', SCRIPT, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const groups = new Set<number>()
  child.stdin.on('error', () => {})
  child.unref()
  ;(child.stdin as Socket).unref()
  const tell = () => void child.stdin.write(`${[...groups].join(' ')}\n`)
  return {
    folder,
    add(group) {
      groups.add(group)
      tell()
    },
    remove(group) {
      if (groups.delete(group)) tell()
    },
  }
}
