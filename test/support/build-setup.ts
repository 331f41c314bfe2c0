import { DIST, freshBuild, LOCAL_DIST } from '../../infra/builds.ts'

/** One build for all tests of what is deployed, and one for all that start the service: each stack would make its own. */
export async function setup(): Promise<void> {
  for (const link of [LOCAL_DIST, DIST] as const) await freshBuild(link)
}
