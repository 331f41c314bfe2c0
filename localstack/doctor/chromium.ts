import { existsSync } from 'node:fs'
import type { Environment } from '../../lib/runtime/config.ts'

/** Where Debian and other systems install it. */
const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser for the tests: the one that CHROMIUM names, else an installed one; undefined if there is none. */
export function findChromium(given: Environment, exists: (path: string) => boolean = existsSync): string | undefined {
  const named = given['CHROMIUM']
  return (named ? [named] : PATHS).find(exists)
}
