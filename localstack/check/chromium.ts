import { existsSync } from 'node:fs'
import type { Environment } from '../../lib/runtime/config.ts'

/** Where Debian and other systems install it; without windows it takes two thirds of the CPU. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The browser for the tests: the one that CHROMIUM names, else an installed one; undefined if there is none. */
export function findChromium(given: Environment, exists: (path: string) => boolean = existsSync): string | undefined {
  const named = given['CHROMIUM']
  return (named ? [named] : PATHS).find(exists)
}
