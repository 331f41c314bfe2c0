import { env } from 'node:process'
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../localstack/doctor/chromium.ts'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-software-rasterizer',
]

/**
 * The browser of this machine, undefined where there is none.
 * @throws Error in CI, where a test that silently does nothing would pass for one that succeeds
 */
export function chromiumPath(): string | undefined {
  const path = findChromium(env)
  if (path === undefined && env['CI']) throw new Error('No Chromium: install one, or name it in CHROMIUM')
  if (path === undefined) console.warn('Skipped: the browser tests want a Chromium.')
  return path
}

/** @param flags besides those of every test */
export function launch(executablePath: string, flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] })
}
