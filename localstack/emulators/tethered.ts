import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { env } from 'node:process'
import type { RunPart } from '../supervisor.ts'

/**
 * A shell script that ends the command when the pipe on standard input closes. The pipe closes with this process, so
 * even SIGKILL leaves no orphan. A background command would read from /dev/null, so descriptor 3 keeps the pipe.
 */
const TETHER = 'exec 3<&0; "$@" </dev/null 3<&- & c=$!; { cat >/dev/null; kill $c; } <&3 2>/dev/null & wait $c'

const PATIENCE = 2000

/** Runs a command that ends with this process; a Ctrl-C in the terminal does not reach it. */
export function startTethered(
  name: string,
  command: readonly string[],
  log: number,
  environment: NodeJS.ProcessEnv = env,
): RunPart {
  const child = spawn('/bin/sh', ['-c', TETHER, 'sh', ...command], {
    detached: true,
    stdio: ['pipe', log, log],
    env: environment,
  })
  const ended = endOf(child)
  return {
    name,
    ended,
    async stop() {
      child.stdin?.end()
      const overdue = setTimeout(() => killGroup(child), PATIENCE)
      await ended
      clearTimeout(overdue)
    },
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  child.stdin?.on('error', () => {})
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  child.stdin?.end()
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}
