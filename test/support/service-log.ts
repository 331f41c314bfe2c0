import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { served } from './served.ts'

/** What the running service has logged so far, line by line. */
export function logLines(): readonly string[] {
  return readFileSync(join(served('ready').data, 'gatehouse.log'), 'utf8').split('\n')
}

/**
 * Waits for lines of the log: an answer may come before its lines are in the file.
 * @param texts what each of the lines contains
 * @param enough the number of lines to wait for
 */
export async function linesWith(texts: readonly string[], enough = 1): Promise<readonly string[]> {
  const lines = () => logLines().filter((line) => texts.every((text) => line.includes(text)))
  await vi.waitUntil(() => lines().length >= enough, 20_000)
  return lines()
}
