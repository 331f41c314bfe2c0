import { env } from 'node:process'
import { isBuilt } from '../infra/builds.ts'

/** Builds all bundles, unless those that are there come from the very same sources. */
export async function freshBundles(): Promise<void> {
  if (!isBuilt()) await build()
}

/** Loads the bundler only now, which most starts do not need. */
async function build(): Promise<void> {
  // esbuild is a Go program; collecting its garbage less often saves a quarter of the time.
  env['GOGC'] ??= '400'
  const { buildBundles } = await import('../infra/build.ts')
  await buildBundles()
  const { stop } = await import('esbuild')
  await stop()
}
