import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execPath, kill, pid } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Holds the id of the process that packages. */
const LOCK = 'node_modules/.cache/gatehouse/packaging'
const POLL_MS = 100

/**
 * Has the engine package a stage into a folder.
 * @param parameters each `name=value`
 * @returns the file of the template
 */
export async function enginePackage(
  stage: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  parameters: readonly string[] = [],
): Promise<string> {
  const given = parameters.flatMap((parameter) => ['--param', parameter])
  await runEngine(['package', '--stage', stage, '--package', folder, ...given], env)
  return join(folder, 'cloudformation-template-update-stack.json')
}

/**
 * Runs a command of the engine, one at a time: all of them work in `.serverless`, and each clears it in the end.
 * @throws Error with what it printed
 */
export async function runEngine(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  while (!takeLock()) await setTimeout(POLL_MS)
  try {
    const command = ['node_modules/serverless/bin/serverless.js', ...args]
    await promisify(execFile)(execPath, command, { env: { ...env, CI: 'true' } }).catch(({ message, stdout }) => {
      throw new Error(`${message}${stdout}`)
    })
  } finally {
    rmSync(LOCK)
  }
}

function takeLock(): boolean {
  mkdirSync(dirname(LOCK), { recursive: true })
  try {
    writeFileSync(LOCK, String(pid), { flag: 'wx' })
    return true
  } catch {
    if (!isAlive(holder())) rmSync(LOCK, { force: true })
    return false
  }
}

/** 0 where nobody has written it yet: that is this process's own group, which is alive. */
function holder(): number {
  try {
    return Number(readFileSync(LOCK, 'utf8'))
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
