import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { stderr } from 'node:process'

/** Runs a command where $DATA_DIR is a disk of its own, which goes with it: what mounts it is not seen by others. */
const NAMESPACE = ['unshare', '--map-root-user', '--mount', 'sh', '-c']

/** In the place of the command that follows, with an empty disk of so many bytes. */
export function withSmallDisk(bytes: number): readonly string[] {
  return [...NAMESPACE, `mount -t tmpfs -o size=${bytes} tmpfs "$DATA_DIR" && exec "$@"`, 'sh']
}

/** In the place of the command that follows, with what is in the folder, but read-only. */
export const WITH_READ_ONLY_DISK: readonly string[] = [
  ...NAMESPACE,
  'mount --bind "$DATA_DIR" "$DATA_DIR" && mount -o remount,bind,ro "$DATA_DIR" && exec "$@"',
  'sh',
]

/** Whether this machine lets its users mount something for themselves; not every container does. */
export function canMount(folder: string): boolean {
  const [command = '', ...args] = [...withSmallDisk(65_536), 'true']
  const isPossible = spawnSync(command, args, { env: { ...process.env, DATA_DIR: folder } }).status === 0
  if (!isPossible)
    stderr.write('skipped: the tests of a full and of a read-only disk need a container that may mount\n')
  return isPossible
}

export interface Ballast {
  remove(): void
}

/** Fills the disk that a process sees at a folder, to the last byte. */
export function fillDisk(pid: number, folder: string): Ballast {
  const path = join(`/proc/${pid}/root`, folder, 'ballast')
  const file = openSync(path, 'w')
  for (const size of [65_536, 4096, 1]) while (isWritten(file, Buffer.alloc(size)));
  closeSync(file)
  return { remove: () => rmSync(path) }
}

function isWritten(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) > 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}
