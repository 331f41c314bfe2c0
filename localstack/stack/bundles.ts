import { env } from 'node:process'
import { DIST, type Link, reasonToBuild } from '../../infra/builds.ts'

/** Builds what is deployed, unless it was built from the same sources. */
export const freshBundles = (): Promise<void> => freshBuild(DIST)

/** Makes a build, unless the newest one is from the same sources. Most starts need none, and load no bundler. */
export async function freshBuild(link: Link): Promise<void> {
  if (reasonToBuild(link) === undefined) return
  // esbuild is a Go program; less frequent garbage collection saves a quarter of the time.
  env['GOGC'] ??= '400'
  const { makeBuild } = await import('../../infra/build.ts')
  await makeBuild(link)
  const { stop } = await import('esbuild')
  await stop()
}
