import { env } from 'node:process'
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../localstack/commands/check/machine.ts'

/** A host name of an attacker, whose name server lets it mean 127.0.0.1. */
export const EVIL = 'evil.example'

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
  `--host-resolver-rules=MAP ${EVIL} 127.0.0.1`,
  // Without Chromium's own question before a page may call this machine, which not every browser asks.
  '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
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

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS })
}
