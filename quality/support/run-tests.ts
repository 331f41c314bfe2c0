import { spawnSync } from 'node:child_process'
import { argv, execPath } from 'node:process'

/** Runs projects of `quality/vitest.config.ts`; the command line may name files. The exit code is that of Vitest. */
export function runTests(...projects: readonly string[]): void {
  const chosen = projects.flatMap((project) => ['--project', project])
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'quality/vitest.config.ts', ...chosen]
  const { status } = spawnSync(execPath, [...args, ...argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
