import { env } from 'node:process'
import { isBuilt } from '../infra/builds.ts'

/** Builds all bundles, unless the existing ones come from the same sources. */
export async function freshBundles(): Promise<void> {
  if (!isBuilt()) await build()
}

/** Loads the bundler only here, because most starts do not need it. */
async function build(): Promise<void> {
  // esbuild is a Go program; less frequent garbage collection saves a quarter of the time.
  env['GOGC'] ??= '400'
  const { buildBundles } = await import('../infra/build.ts')
  await buildBundles()
  const { stop } = await import('esbuild')
  await stop()
}
